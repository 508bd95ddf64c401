cp -r "$SOURCE/tests/data/tiny_catalog" d && printf "table,name\n" >d/measurements/fitted.csv
TRAINRIG_DATA=d trainrig validate
