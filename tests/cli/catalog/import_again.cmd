# nothing changes the second time, and the files are the same to the byte
trainrig catalog import "$SOURCE/tests/data/market/lists" "$SOURCE/tests/data/market/specifications" --into market -q >/dev/null
cp -r market before
trainrig catalog import "$SOURCE/tests/data/market/lists" "$SOURCE/tests/data/market/specifications" --into market -q --format json |
  python3 -c 'import json,sys; print([(c["class"], c["new"], c["repriced"], c["same"], c["gone"]) for c in json.load(sys.stdin)["classes"]])'
diff -r before market
