trainrig catalog list gpus --format csv --columns name --require 'mem_gb > 1000'
