trainrig help --help
