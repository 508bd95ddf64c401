printf 'budget\n' >trainrig.conf
trainrig recommend
