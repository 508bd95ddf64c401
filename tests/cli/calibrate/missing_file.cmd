trainrig calibrate none.csv; code=$?; ls; exit $code
