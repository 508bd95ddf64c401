# the same range in every way it can be written
trainrig frontier --from 1000 --to 10000 -f csv -q >a
trainrig frontier --budget 1k..10k -f csv -q >b; cmp a b
trainrig frontier --budget 1..10k --from 1k -f csv -q >b; cmp a b
trainrig frontier --from 1000 --budget 10000 -f csv -q >b; cmp a b
TRAINRIG_BUDGET=20k trainrig frontier --from 1000 --to 10000 -f csv -q >b; cmp a b
