#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the shipped figures anew: fits the model to the shipped measurements, from the priors, and
# writes the result into model/data and model/measurements/fitted.csv, three times or until nothing changes any
# more (what processors deliver decides which rows tell about GPUs, so one round is not enough).
# The same measurements and priors give the same figures. Read the difference before you commit it.
# usage: tools/refit.sh [--intervals] [PROGRAM]
#   --intervals  in the end also the widths of the 90 % intervals, by cross-validation (minutes)
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TRAINRIG_DATA=$root
with_intervals=no
[ "${1:-}" != --intervals ] || { with_intervals=yes; shift; }
program=${1:-$root/build/release/trainrig}
profile=$(mktemp) || exit 1
trap 'rm -f "$profile"' EXIT

# state: a sum over everything that a round writes.
state() {
  cat "$root"/model/data/*.csv "$root/model/measurements/fitted.csv" | cksum
}

for round in 1 2 3; do
  before=$(state)
  "$program" calibrate --shipped --from-priors --save "$profile" >/dev/null
  echo "round $round"
  python3 "$root/tools/merge_profile.py" "$profile" "$root"
  [ "$before" != "$(state)" ] || break
done
if [ $with_intervals = yes ]; then
  "$program" calibrate --shipped --from-priors --intervals --save "$profile" >/dev/null
  python3 "$root/tools/merge_profile.py" "$profile" "$root"
fi
"$program" catalog check "$root/model/data" --quiet >/dev/null
"$program" validate | sed -n 1,8p
