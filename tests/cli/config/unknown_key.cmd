printf '\n  budgte = 5k\n' >trainrig.conf
trainrig recommend
