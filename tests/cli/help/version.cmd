trainrig --version
