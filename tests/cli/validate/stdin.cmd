trainrig validate - --by source < "$SOURCE/tests/data/tiny_catalog/measurements/storage.csv"
