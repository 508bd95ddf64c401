printf 'gpu_name,gpu_count\n' >b.csv
trainrig predict b.csv
