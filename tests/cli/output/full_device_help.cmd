trainrig recommend --help >/dev/full
