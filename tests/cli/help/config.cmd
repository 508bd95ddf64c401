trainrig help config
