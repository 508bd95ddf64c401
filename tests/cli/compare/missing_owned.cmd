trainrig compare --budget 8000 --owned nosuch.csv
