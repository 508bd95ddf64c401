cp -r "$TRAINRIG_DATA" data && rm data/measurements/priors.csv
TRAINRIG_DATA=data trainrig calibrate "$SOURCE/tests/data/three_runs.csv"
