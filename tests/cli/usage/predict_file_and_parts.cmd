trainrig predict x.csv --gpu 'RTX 4090'
