trainrig recommend --budget 3k..20k
