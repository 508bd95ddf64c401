trainrig frontier --help
