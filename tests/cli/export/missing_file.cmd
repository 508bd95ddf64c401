trainrig export --budget 5000 --read-solution missing.sol
