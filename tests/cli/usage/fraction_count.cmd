trainrig recommend --budget 20k --top 1.5
