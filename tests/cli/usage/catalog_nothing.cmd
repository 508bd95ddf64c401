trainrig catalog
