trainrig validate --targets >out.txt; cut -c1-60 out.txt | head -n 9
