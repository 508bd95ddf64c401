trainrig validate "$SOURCE/tests/data/three_runs.csv" --leave-out row --fit model --by kind
