# the builds of a frontier, predicted, have the rates that it gave them
trainrig frontier --from 1000 --to 10000 -f csv -q >f.csv
trainrig predict f.csv -f csv -q >p.csv
cut -d, -f1,2 f.csv >a; cut -d, -f5,7 p.csv >b; cmp a b
