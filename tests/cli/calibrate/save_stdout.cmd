# The profile goes to standard output alone, is the same in a file, and every verb takes it.
trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --save - >p.csv
trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --save q.csv --quiet >/dev/null
cmp p.csv q.csv && head -n 1 p.csv && cut -d, -f1 p.csv | sort -u
trainrig validate "$SOURCE/tests/data/three_runs.csv" --profile p.csv --format json | grep -m1 mape_frac | cut -c1-20
trainrig predict --gpu "RTX 4090" --cores 16 --ram 64GB --storage-rate 3GB/s --profile p.csv --format csv --quiet | wc -l
