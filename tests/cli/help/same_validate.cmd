trainrig help validate >a; trainrig validate -h >b; cmp a b
