# a machine that is owned costs what it takes to run it
trainrig recommend --budget 5000 --format csv -q >lab.csv
trainrig compare lab.csv --owned lab.csv --no-cloud --hosting 20 --format csv -q | cut -d, -f2-4,8,16-21
