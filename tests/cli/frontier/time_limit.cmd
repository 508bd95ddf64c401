trainrig frontier --from 1000 --to 10000 --time-limit 0 -q >/dev/null
