# the last point stands below the range
last=$(trainrig frontier --from 1000 --to 100000 -f csv -q | tail -n 1 | cut -d, -f1)
trainrig frontier --from "${last%.*}9" --to 1000k -q -f csv | wc -l
exit ${PIPESTATUS[0]}
