trainrig compare builds.csv --gpu 'RTX 4090'
