#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the tables of docs/accuracy.md anew, from cross-validations on the shipped measurements
# (about ten minutes). Needed after a change of the model, the measurements or the priors; read the
# difference before you commit it. tools/plot_accuracy.sh draws the plots.
# usage: tools/refresh_accuracy.sh [PROGRAM]
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TRAINRIG_DATA=$root
program=${1:-$root/build/release/trainrig}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$program" validate --leave-out system --fit model --residuals "$work/system.csv" --format csv \
  >/dev/null
"$program" validate --targets --format json -o "$work/targets.json"
python3 "$root/tools/accuracy_tables.py" "$root/docs/accuracy.md" "$work/targets.json" \
  "$work/system.csv"
