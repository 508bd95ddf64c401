trainrig recommend --budget 5000 --format csv >a; head -n 1 a | cut -d, -f1-3
