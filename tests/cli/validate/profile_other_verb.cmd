trainrig catalog list gpus --profile p.csv
