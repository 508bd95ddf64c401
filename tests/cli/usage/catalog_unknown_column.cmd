trainrig catalog list gpus --columns name,mem_bg
