trainrig predict --gpu 'RTX 4090' --cores 32 --ram 256GB --storage-rate 7GB/s --measured 100 --format csv | wc -l
