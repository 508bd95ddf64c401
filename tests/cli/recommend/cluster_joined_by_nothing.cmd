trainrig recommend --budget 1000000 --nodes 9
