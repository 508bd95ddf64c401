trainrig compare --cloud 'lambda 8x V100 92 vCPU us-east-1'
