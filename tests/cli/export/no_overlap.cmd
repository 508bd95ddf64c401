trainrig export --budget 5000 --no-overlap
