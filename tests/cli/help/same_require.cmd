trainrig help require >a; trainrig require -h >b; cmp a b
