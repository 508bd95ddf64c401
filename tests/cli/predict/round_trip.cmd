# builds written by recommend are read back and predicted the same
trainrig recommend --budget 5000 --format csv -q >a.csv
trainrig predict a.csv --format csv -q >b.csv
trainrig predict - --format csv -q <a.csv | cmp - b.csv
field() { python3 -c 'import csv,sys; print(next(csv.DictReader(open(sys.argv[1])))[sys.argv[2]])' "$1" "$2"; }
for name in gpu_name images_per_s price_usd; do
  [ "$(field a.csv $name)" = "$(field b.csv $name)" ] || echo "$name differs: $(field a.csv $name) $(field b.csv $name)"
done
