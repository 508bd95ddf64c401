trainrig validate --profile p.csv
