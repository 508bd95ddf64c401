sed "s/,1200,/,fast,/" "$SOURCE/tests/data/tiny_catalog/measurements/gpu_training.csv" >rows.csv
trainrig validate rows.csv
