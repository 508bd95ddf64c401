trainrig recomend --budget 20k
