printf "table,name,value,log_sd,rows,source\nstacks,pytorch,1.5,,,own runs\nfitted,gpu:NVIDIA GeForce RTX 4090,,,5,own runs\n" >p.csv
trainrig validate --profile p.csv --by gpu
