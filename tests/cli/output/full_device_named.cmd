trainrig catalog list gpus -q -o /dev/full
