trainrig help conditions
