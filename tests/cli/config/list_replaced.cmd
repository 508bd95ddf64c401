printf "require = mem_gb >= 24\nrequire = tdp_w <= 350\nformat = csv\ncolumns = name\n" >trainrig.conf
trainrig catalog list gpus -q
trainrig catalog list gpus -q --require 'mem_gb < 24'
