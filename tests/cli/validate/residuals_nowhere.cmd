trainrig validate --residuals /nowhere/r.csv
