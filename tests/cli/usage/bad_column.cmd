trainrig recommend --budget 20k --require 'gpu.mem_bg >= 3'
