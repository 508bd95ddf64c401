trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --intervals
