trainrig predict --gpu 'NVIDIA GeForce RTX 4090' --cpu 'Ryzen 5 7700Z'
