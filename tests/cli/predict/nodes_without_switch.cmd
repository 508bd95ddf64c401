trainrig predict --nodes 3 --gpu 'RTX 4070 x2' --nic 'Asus XG-C100C'
