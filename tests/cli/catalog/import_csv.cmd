# a row per part that was left out, with its place
trainrig catalog import "$SOURCE/tests/data/market/lists" "$SOURCE/tests/data/market/specifications" --into market -q --format csv | sed "s#$SOURCE/##"
