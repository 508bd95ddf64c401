trainrig recommend --bugdet 20k
