trainrig recommend --budget 20k --require 'gpu.mem_gb >>= 3'
