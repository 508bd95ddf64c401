trainrig compare --budget 8000 --cloud x --no-cloud
