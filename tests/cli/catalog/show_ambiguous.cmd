trainrig catalog show 'RTX'
