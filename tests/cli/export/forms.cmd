# the form follows the name of the file unless --as says it
trainrig export --budget 5000 -q -o p.mps && grep -c '^ROWS' p.mps
trainrig export --budget 5000 -q -o p.lp && grep -c '^Subject To' p.lp
trainrig export --budget 5000 -q | grep -c '^Subject To'
trainrig export --budget 5000 -q --as mps | cmp - p.mps
trainrig export --budget 5000 -q --full -o full.lp && [ "$(wc -c <full.lp)" -ge "$(wc -c <p.lp)" ] && echo 'full is larger'
