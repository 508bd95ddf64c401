# what the program says of itself; its name and size, and the catalogue's, are those of the day
trainrig export --budget 5000 --require 'gpu.mem_gb >= 12' --limit 'power_w <= 2000' -o p.lp
sed -n '/^Minimize/q; /columns (/d; s/[0-9a-f]\{16\}/HASH/g; s/trainrig [0-9.]*[0-9]/trainrig VERSION/; p' p.lp
sed -n '/^Binaries/,$p' p.lp | grep -o '^ *[a-zA-Z]*' | sort | uniq -c
