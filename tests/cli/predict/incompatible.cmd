trainrig predict --cpu 'EPYC 7302P' --gpu 'RTX 4090' --board 'B650 PG LIGHTNING'
