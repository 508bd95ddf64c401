trainrig predict --budget 20k
