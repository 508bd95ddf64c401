trainrig predict --help
