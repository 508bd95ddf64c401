printf "table,name,value,log_sd,rows,source\nstacks,pytorch,1.5,,,own runs\nfitted,gpu:NVIDIA GeForce RTX 4090,,,5,own runs\n" >p.csv
for verb in 'recommend --budget 5k' 'frontier --from 3k --to 4k' 'require --gpu RTX4090' 'predict --gpu RTX4090'; do
  trainrig $verb --profile p.csv >/dev/null 2>&1; echo $?
done
