trainrig help recommend >a; trainrig recommend -h >b; cmp a b
