trainrig help help >a; trainrig help -h >b; cmp a b
