trainrig compare --budget 8000 --top 2 --format csv -q
