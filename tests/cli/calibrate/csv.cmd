trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --format csv -o out.csv; cut -d, -f1-3,7 out.csv | head -n 6
