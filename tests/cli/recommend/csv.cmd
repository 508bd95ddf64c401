trainrig recommend --budget 5000 --format csv --top 3 -q
