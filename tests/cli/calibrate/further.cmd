# An earlier calibration is the start of the next one, and its figures stay in the profile.
trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --save p.csv >/dev/null
trainrig calibrate "$SOURCE/tests/data/tiny_catalog/measurements/mlperf_resnet50.csv" --profile p.csv --save q.csv | grep -e Error -e Held
cut -d, -f1,2 p.csv | sort >p.names; cut -d, -f1,2 q.csv | sort >q.names
comm -23 p.names q.names | wc -l
