cp "$SOURCE/tests/data/tiny_catalog/catalog/gpus.csv" parts.csv
trainrig validate parts.csv
