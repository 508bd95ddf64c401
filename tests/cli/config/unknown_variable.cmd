TRAINRIG_BUGDET=5k trainrig recommend
