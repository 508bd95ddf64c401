trainrig predict --gpu 'RTX 4090' --cores 8 --ram 64GB --storage-rate 1GB/s --format csv --fail-if 'images_per_s < 1e6' -q | wc -l; exit ${PIPESTATUS[0]}
