#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the plots of docs/accuracy.md from cross-validations on the shipped measurements (minutes).
# Needs gnuplot (Debian: gnuplot-nox), for this alone.
# usage: tools/plot_accuracy.sh [PROGRAM]
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TRAINRIG_DATA=$root
program=${1:-$root/build/release/trainrig}
command -v gnuplot >/dev/null || { echo "gnuplot is not installed (Debian: gnuplot-nox)" >&2; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for key in system gpu; do
  "$program" validate --leave-out $key --fit model --residuals "$work/$key.csv" --format csv \
    >/dev/null
done
python3 "$root/tools/plot_rows.py" "$work" "$root/docs/plots" "$root/model/data/stacks.csv"
