trainrig help units
