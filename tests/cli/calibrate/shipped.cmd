trainrig calibrate --shipped --format csv -o out.csv; head -n 2 out.csv | cut -d, -f1-3,7
trainrig calibrate --shipped --from-priors --save q.csv >/dev/null && cmp profile.csv q.csv
