trainrig catalog list gpus -q >/dev/full
