trainrig recommend --budget 3000 --nodes 4 --limit 'total_power_w <= 900'
