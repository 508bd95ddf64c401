trainrig recommend --budget 5000 --format json -q | python3 -c "import json,sys; d=json.load(sys.stdin); print(d[\"schema\"], d[\"outcome\"], d[\"proof\"][\"gap_frac\"], len(d[\"builds\"]))"
