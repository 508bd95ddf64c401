trainrig catalog list gpus --format csv --columns name,mem_gb --require 'mem_gb >= 24' --forbid 'gpu.name = *3090'
