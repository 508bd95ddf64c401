# a shop's lists and open specifications as a catalogue that recommend uses
trainrig catalog import "$SOURCE/tests/data/market/lists" "$SOURCE/tests/data/market/specifications" --into market -q
ls market
trainrig catalog check --catalog market -q >/dev/null
trainrig recommend --budget 4000 --catalog market --format csv -q | tail -n 1 | grep -c ,
