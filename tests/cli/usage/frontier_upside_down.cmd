trainrig frontier --from 60000 --to 3000
