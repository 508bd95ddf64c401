trainrig recommend --used=yes --budget 20k
