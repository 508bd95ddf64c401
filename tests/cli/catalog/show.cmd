trainrig catalog show 'RTX 4090' | sed 's|^\(read from *\).*/tests/|\1tests/|'
