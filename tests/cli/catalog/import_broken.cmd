# broken lines are said and cost themselves
trainrig catalog import "$SOURCE/tests/data/market/lists" "$SOURCE/tests/data/market/specifications" --into market 2>&1 >/dev/null | sed "s#$SOURCE/##"
