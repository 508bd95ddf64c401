Optimal - objective value -3.5
      1 x2   1    0
** 2 x3 0.5 0
