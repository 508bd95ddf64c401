trainrig calibrate --help
