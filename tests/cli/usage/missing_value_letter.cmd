trainrig recommend -b
