mkfifo pipe
trainrig catalog list nics -q --format csv --columns name -o pipe &
cat pipe
wait
