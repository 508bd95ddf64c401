trainrig predict --gpu 'RTX 4070' --nodes 1..2; trainrig recommend --budget 5000 --nodes 3..2; trainrig recommend --budget 5000 --nodes 65; trainrig recommend --budget 5000 --nodes 0
