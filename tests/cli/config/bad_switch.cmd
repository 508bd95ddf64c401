printf 'used = maybe\n' >trainrig.conf
trainrig catalog list gpus
