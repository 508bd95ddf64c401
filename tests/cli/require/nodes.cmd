trainrig require --images-per-s 6000 --nodes 3
