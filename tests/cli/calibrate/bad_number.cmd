sed "3s/,1950,/,fast,/" "$SOURCE/tests/data/three_runs.csv" >runs.csv; trainrig calibrate runs.csv
