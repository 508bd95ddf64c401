trainrig recommend --help
