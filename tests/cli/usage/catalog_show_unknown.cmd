trainrig catalog show 'RTX 9999'
