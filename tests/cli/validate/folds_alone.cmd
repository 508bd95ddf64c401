trainrig validate --folds 3
