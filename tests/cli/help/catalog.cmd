trainrig catalog --help
