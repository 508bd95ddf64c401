trainrig recommend --budget 1e400
