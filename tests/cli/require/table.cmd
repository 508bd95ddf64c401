trainrig require --images-per-s 1000 --cpu 'AMD Ryzen 5 7600X'
