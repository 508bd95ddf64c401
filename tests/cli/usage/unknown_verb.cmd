trainrig frontier
