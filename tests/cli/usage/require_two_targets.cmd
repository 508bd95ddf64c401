trainrig require --images-per-s 100 --epoch-time 5min
