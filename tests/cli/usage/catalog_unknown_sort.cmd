trainrig catalog list gpus --sort mem_bg
