trainrig recommend --budget 20k --top 101
