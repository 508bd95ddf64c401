trainrig catalog check --format csv -q >a; head -n 5 a
