trainrig recommend --budget 100 -q --format csv
