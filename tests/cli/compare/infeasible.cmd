trainrig compare --budget 100 --no-cloud
