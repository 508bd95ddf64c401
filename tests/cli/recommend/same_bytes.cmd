trainrig recommend --budget 5000 --top 5 >a; trainrig recommend --budget 5000 --top 5 >b; cmp a b
