Model status
Optimal
# Primal
# Columns 999999999
x1 0
