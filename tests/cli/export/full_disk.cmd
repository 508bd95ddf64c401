trainrig export --budget 5000 -q >/dev/full
