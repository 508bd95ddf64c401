trainrig compare --budget 8000 -q -o /dev/full
