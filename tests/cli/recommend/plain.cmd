trainrig recommend --budget 5000
