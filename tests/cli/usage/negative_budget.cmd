trainrig recommend --budget -5
