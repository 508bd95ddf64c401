trainrig compare --cloud 'nebius 2x L40S' --format csv -q | cut -d, -f2-4
