printf "table,name,value,log_sd,rows,source\nstacks,pytorch,1.5,,,own runs\nfitted,gpu:NVIDIA GeForce RTX 4090,,,5,own runs\n" >p.csv
trainrig predict --gpu 'RTX 4090' --cores 16 --format json >a.json
trainrig predict --gpu 'RTX 4090' --cores 16 --format json --profile p.csv >b.json
python3 -c 'import json; a,b=(json.load(open(f)) for f in ("a.json","b.json")); print(a["builds"][0]["images_per_s"] > 1.3 * b["builds"][0]["images_per_s"], a["catalog_hash"] != b["catalog_hash"])'
