trainrig validate --leave-out source --folds 2 --by kind -o out.txt; head -n 2 out.txt
