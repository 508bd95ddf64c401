trainrig recommend --budget 20k --network nosuch
