trainrig help exit-codes
