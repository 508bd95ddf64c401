printf "a,b\n1,2\n" >runs.csv; trainrig calibrate runs.csv
