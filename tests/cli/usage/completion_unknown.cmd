trainrig completion tcsh
