printf "table,name,value,log_sd,rows,source\nconstants,no_such,1,,,x\n" >p.csv
trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --profile p.csv
