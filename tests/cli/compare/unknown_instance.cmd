trainrig compare --cloud 'nebius 3x L40S'
