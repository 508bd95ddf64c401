trainrig frontier --from 1000 --to 10000 --require 'gpu.mem_gb >= 24' -f csv -q | cut -d, -f1-4,31-32
