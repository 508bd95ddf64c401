#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep equals single recommendations; shards by two processes, threads and a resumed torn file
# give the same bytes; wrong scenarios are told and do not stop the others.
set -u
export SOURCE_DATE_EPOCH=1796083200
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
fail() {
  echo "FAIL: $*"
  exit 1
}
# expect CODE COMMAND...
expect() {
  local code=$1
  shift
  "$@" 2>stderr
  local got=$?
  [ $got -eq "$code" ] || fail "$* gave $got, not $code: $(cat stderr)"
}

cat >s.csv <<'EOF'
id,budget_usd,workload,require,top
a,20000,,gpu.mem_gb >= 24,
b,8k,resnet50-imagenet,,2
c,100,,,
d,20k,nonsense,,
e,abc,,,
f,,,,
"g, quoted",30000,vit_b16-imagenet,gpu.mem_gb >= 16; cpu.vendor = AMD,
EOF
expect 6 "$TRAINRIG" sweep s.csv -o whole.csv
for place in "s.csv:5:7: workload: no such workload: 'nonsense'" "s.csv:6:3: budget: " \
  "s.csv:7:1: no budget"; do
  grep -qF "$place" stderr || fail "not said: $place"
done
[ ! -e whole.csv.part ] || fail "the unfinished file is left"
[ "$(cut -d, -f3 whole.csv | tr '\n' ' ')" = \
  "outcome optimal optimal optimal infeasible error error error optimal " ] || fail "outcomes"
grep -q '^3,[0-9a-f]*,infeasible,[^,]*,[^,]*,.*[0-9],c,' whole.csv ||
  grep -q '^3,.*budget' whole.csv || fail "no conflict"

# the last columns are those of recommend
expect 0 "$TRAINRIG" recommend --budget 8k --top 2 --format csv -o single.csv
n_lead=$(head -1 whole.csv | tr , '\n' | grep -n '^rank$' | cut -d: -f1)
[ "$(head -1 whole.csv | cut -d, -f"$n_lead"-)" = "$(head -1 single.csv)" ] || fail "columns"
tail -n +2 single.csv >rows
while IFS= read -r row; do
  grep -qF ",$row" whole.csv || fail "not the row of recommend: $row"
done <rows

# two processes, each with a shard
"$TRAINRIG" sweep s.csv --shard 1/2 -o p1.csv --threads 1 2>/dev/null &
"$TRAINRIG" sweep s.csv --shard 2/2 -o p2.csv --threads 3 2>/dev/null
wait
cat p1.csv p2.csv | cmp - whole.csv || fail "shards are not the whole"

# every place where a kill may tear the file
size=$(wc -c <whole.csv)
for left in 0 10 700 2500 $((size / 2)) $((size - 1)) "$size"; do
  rm -f r.csv
  head -c "$left" whole.csv >r.csv.part
  expect 6 "$TRAINRIG" sweep s.csv -o r.csv --resume --threads 2
  cmp r.csv whole.csv || fail "resumed after $left bytes"
done
expect 6 "$TRAINRIG" sweep s.csv -o r.csv --resume # finished already
cmp r.csv whole.csv || fail "a finished file was changed"

# not of this sweep
cp whole.csv r.csv.part
expect 7 "$TRAINRIG" sweep s.csv -o r.csv
expect 6 "$TRAINRIG" sweep s.csv -o r.csv --resume --pue 1.1
grep -q "another sweep" stderr || fail "another sweep was taken"
cmp r.csv.part whole.csv || fail "the file of another sweep was changed"

expect 2 "$TRAINRIG" sweep
expect 2 "$TRAINRIG" sweep s.csv --resume
expect 2 "$TRAINRIG" sweep s.csv --shard 3/2
expect 7 "$TRAINRIG" sweep absent.csv
printf 'id,bugdet\na,1\n' >bad.csv
expect 6 "$TRAINRIG" sweep bad.csv
grep -q 'did you mean budget' stderr || fail "no hint for a column"

# an interrupt keeps what is finished, and the rest follows
{
  echo id,budget
  for i in $(seq 1 60); do echo "$i,$((5000 + i * 331))"; done
} >many.csv
"$TRAINRIG" sweep many.csv -o m.csv --threads 2 2>/dev/null &
pid=$!
for _ in $(seq 1 200); do
  [ -e m.csv.part ] && [ "$(wc -l <m.csv.part)" -ge 3 ] && break
  sleep 0.02
done
kill -INT $pid
wait $pid
code=$?
[ $code -eq 4 ] || [ $code -eq 0 ] || fail "interrupt gave $code"
expect 0 "$TRAINRIG" sweep many.csv -o m.csv --resume
expect 0 "$TRAINRIG" sweep many.csv -o n.csv --threads 1
cmp m.csv n.csv || fail "resumed after an interrupt"
