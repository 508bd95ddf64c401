trainrig help calibrate >a; trainrig calibrate -h >b; cmp a b
