trainrig frontier --from 10 --to 100 --format csv -q
