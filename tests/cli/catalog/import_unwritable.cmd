touch file
trainrig catalog import "$SOURCE/tests/data/market/lists" --into file/market -q
