trainrig compare --gpu 'RTX 4090 x2' --cpu 'Ryzen 9 7950X' --ram 64GB --storage-rate 7GB/s --format markdown -q
