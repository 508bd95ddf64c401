trainrig help catalog >a; trainrig catalog -h >b; head -n $(wc -l <b) a | cmp - b
