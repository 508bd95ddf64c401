cp -r "$SOURCE/tests/data/tiny_catalog" d && printf "table,label,name,cores,source\nwheel,a,b,,\n" >d/measurements/aliases.csv
TRAINRIG_DATA=d trainrig validate
