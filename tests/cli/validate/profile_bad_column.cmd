printf "table,name,worth\n" >p.csv
trainrig validate --profile p.csv
