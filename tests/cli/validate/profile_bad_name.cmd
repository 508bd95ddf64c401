printf "table,name,value,log_sd,rows,source\nstacks,torch,1.5,,,own\n" >p.csv
trainrig predict --gpu RTX4090 --profile p.csv
