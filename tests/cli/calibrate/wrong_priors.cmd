cp -r "$TRAINRIG_DATA" data && sed -i "2s/,log,/,square,/" data/measurements/priors.csv
TRAINRIG_DATA=data trainrig calibrate "$SOURCE/tests/data/three_runs.csv"; code=$?; ls; exit $code
