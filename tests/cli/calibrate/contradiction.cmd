# A row that the others do not bear out is named with its place.
sed "4s/,590,/,59,/" "$SOURCE/tests/data/three_runs.csv" >runs.csv
sed -n 2,3p runs.csv | sed "s/my box/box 2/" >>runs.csv
sed -n 2,3p runs.csv | sed "s/my box/box 3/" >>runs.csv
trainrig calibrate runs.csv --format csv | grep ^contradiction | cut -d, -f1,3,4
