mkfifo pipe
exec 3<>pipe 4>pipe 3>&-
trainrig catalog list gpus -q >&4
echo $?
