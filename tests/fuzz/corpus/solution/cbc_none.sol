Infeasible - objective value 0
