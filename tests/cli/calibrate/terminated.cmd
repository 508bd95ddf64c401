# A signal during the fit leaves nothing behind.
TRAINRIG_DATA=$SOURCE trainrig calibrate --shipped & job=$!
sleep 1.5; kill -TERM $job; wait $job; code=$?; ls; exit $code
