trainrig recommend --budget 20k --workload nosuch
