trainrig frontier --budget 3k..x
