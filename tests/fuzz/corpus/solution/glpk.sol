c Problem:  p
c
s mip 1 2 o -3
i 1 7
j 1 0
j 2 1
e o f
