echo old >out.csv
trainrig catalog list gpus -q --columns nosuch -o out.csv 2>/dev/null
echo $?
cat out.csv
ls -A
