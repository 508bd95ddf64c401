# true: nothing can be bought for this, so the conflict is shown
printf 'Infeasible - objective value 0\n' >p.sol
trainrig export --budget 100 --read-solution p.sol -q >/dev/null
