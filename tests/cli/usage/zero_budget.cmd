trainrig recommend --budget 0
