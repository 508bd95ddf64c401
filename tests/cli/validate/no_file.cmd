trainrig validate /nowhere/rows.csv
