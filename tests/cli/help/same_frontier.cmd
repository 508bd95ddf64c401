trainrig help frontier >a; trainrig frontier -h >b; cmp a b
