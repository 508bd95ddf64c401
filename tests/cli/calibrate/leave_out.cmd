trainrig calibrate "$SOURCE/tests/data/tiny_catalog/measurements/gpu_training.csv" --leave-out gpu | grep "Held" -A1
