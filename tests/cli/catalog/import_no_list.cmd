mkdir empty
trainrig catalog import empty --into market
