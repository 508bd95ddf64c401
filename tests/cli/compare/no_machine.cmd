trainrig compare
