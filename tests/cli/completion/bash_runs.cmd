source <(trainrig completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trainrig; echo "${COMPREPLY[*]}"; }
try trainrig re
try trainrig recommend --bud
try trainrig recommend --format ''
try trainrig catalog l
