mkdir c
printf 'name\n' >c/gpus.csv
trainrig recommend --budget 5000 --catalog c
