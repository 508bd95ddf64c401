trainrig predict --nodes 3 --gpu 'RTX 4070 x2' --cpu 'Ryzen 5 7600X' --ram 64GB --storage-rate 3GB/s --nic 'Asus XG-C100C' --switch 'MikroTik CRS309-1G-8S+IN'
