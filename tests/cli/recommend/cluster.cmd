trainrig recommend --budget 9000 --nodes 1..4
