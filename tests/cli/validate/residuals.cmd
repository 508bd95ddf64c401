trainrig validate --residuals r.csv -o v.txt && cat r.csv && ls
