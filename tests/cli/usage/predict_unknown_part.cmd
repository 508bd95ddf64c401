trainrig predict --gpu 'RTX 9999'
