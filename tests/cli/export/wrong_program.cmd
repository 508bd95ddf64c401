printf 'Optimal - objective value 1\n 0 program_0000000000000000 1 0\n' >p.sol
trainrig export --budget 5000 --read-solution p.sol
