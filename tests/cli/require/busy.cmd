trainrig require --gpu 'RTX 4090 x2' --format csv -q
