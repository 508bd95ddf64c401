mkdir d && cp -r "$SOURCE/tests/data/tiny_catalog/catalog" "$SOURCE/tests/data/tiny_catalog/model" d
TRAINRIG_DATA=$PWD/d trainrig validate
