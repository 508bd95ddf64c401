trainrig recommend --budget 5000 --limit 'power_w <= 50' --format csv
