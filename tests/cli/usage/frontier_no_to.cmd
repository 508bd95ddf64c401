trainrig frontier --from 3k
