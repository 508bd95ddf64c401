printf 'cpu_name,cpu_count,gpu_name,gpu_count,board_name,board_count\nAMD EPYC 7302P,1,NVIDIA GeForce RTX 4090,1,ASRock B650 PG LIGHTNING,1\n' | trainrig predict -
