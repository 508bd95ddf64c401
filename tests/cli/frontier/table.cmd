trainrig frontier --from 1000 --to 10000
