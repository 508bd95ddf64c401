trainrig frontier --to 20k
