trainrig help predict >a; trainrig predict -h >b; cmp a b
