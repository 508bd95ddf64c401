printf 'gpu_name,gpu_count\nRTX 9999,1\n' >b.csv
trainrig predict b.csv
