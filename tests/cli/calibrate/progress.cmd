# No progress where standard error is no terminal; nothing but the result on standard output.
trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --format json 2>err | python3 -m json.tool >/dev/null && wc -c <err
