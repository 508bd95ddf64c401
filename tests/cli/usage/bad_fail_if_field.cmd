trainrig recommend --budget 20k --fail-if 'price > 3'
