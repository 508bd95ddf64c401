printf 'budget = 5k\nbudget = 6k\n' >trainrig.conf
trainrig recommend
