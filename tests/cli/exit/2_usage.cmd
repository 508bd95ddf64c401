trainrig recommend --budget x
