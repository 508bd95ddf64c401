trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --format markdown -o out.md; head -n 12 out.md
