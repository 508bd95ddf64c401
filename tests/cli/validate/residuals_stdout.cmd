trainrig validate --residuals - -o v.txt | cut -d, -f1-5
