trainrig predict --gpu 'rtx 4090 x2' --cores 32 -q >/dev/null
trainrig predict --gpu 'NVIDIA GeForce RTX 4090 x2' --cores 32 >/dev/null
trainrig predict --gpu 'rtx 4090 x2' --cpu 'AMD Ryzen 5 7600X' >/dev/null
trainrig recommend --budget 5k --fix 'gpu = rtx 4090' --own 'cpu = AMD Ryzen 5 7600X' >/dev/null
