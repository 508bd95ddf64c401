trainrig recommend --budget 20k more
