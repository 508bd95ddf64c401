trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --save none/profile.csv
