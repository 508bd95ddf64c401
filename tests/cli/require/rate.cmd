trainrig require --images-per-s 1000 --format json -q | python3 -m json.tool >/dev/null
