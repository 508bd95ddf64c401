printf 'budget = plenty\n' >trainrig.conf
trainrig recommend
