trainrig export --budget 20k --objective cost-per-epoch
