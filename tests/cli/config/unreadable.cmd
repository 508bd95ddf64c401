mkdir trainrig.conf
trainrig recommend --budget 5k
