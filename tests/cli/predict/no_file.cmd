trainrig predict nosuch.csv
