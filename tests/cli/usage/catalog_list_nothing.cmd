trainrig catalog list
