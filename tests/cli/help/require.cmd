trainrig require --help
