trainrig catalog import lists
