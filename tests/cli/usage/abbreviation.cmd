trainrig recommend --budg 20k
