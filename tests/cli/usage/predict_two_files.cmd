trainrig predict x.csv y.csv
