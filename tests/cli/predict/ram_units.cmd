for ram in 64GB 64GiB; do trainrig predict --gpu 'RTX 4090' --cores 8 --ram $ram --storage-rate 1GB/s --format csv -q; done | tail -n +2 | sort -u | grep -vc '^rank'
