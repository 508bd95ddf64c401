trainrig recommend --budget 5000 --time-limit 0 --format csv -q >/dev/null
