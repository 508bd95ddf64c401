trainrig catalog import nosuch --into market
