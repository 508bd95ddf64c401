trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --save p.csv -o p.csv
