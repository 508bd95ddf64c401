trainrig completion --help
