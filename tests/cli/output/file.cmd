trainrig catalog list gpus -q --format csv --columns name -o out.csv
cat out.csv
ls -A
