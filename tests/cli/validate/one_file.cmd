trainrig validate "$SOURCE/tests/data/tiny_catalog/measurements/storage.csv" --by source
