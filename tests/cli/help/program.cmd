trainrig --help
