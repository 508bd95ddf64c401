trainrig validate --help
