trainrig frontier --from 1k --to 6k --nodes 1..2
