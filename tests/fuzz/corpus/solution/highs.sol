Model status
Optimal

# Primal solution values
Feasible
Objective -3
# Columns 2
x1 0
x2 1
# Rows 1
c1 9
