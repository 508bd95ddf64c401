#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Times, rates and shares that examples/README.md tells are in the expected output of the stories.
set -u
cd "${RIG_SOURCE_DIR:?source tree}/examples" || exit 2
n_seen=0 n_bad=0
told=$(grep -oE '[0-9]+ min [0-9]+ s|[0-9],[0-9]{3} images/s|[0-9]+\.[0-9] %' README.md | sort -u)
while read -r figure; do
  n_seen=$((n_seen + 1))
  cat ./*.expected | tr -s '\n ' ' ' | grep -qF -- "$figure" && continue
  echo "examples/README.md tells '$figure', which no story prints now"
  n_bad=$((n_bad + 1))
done <<<"$told"
echo "$n_seen figures, $n_bad gone"
[ $n_bad -eq 0 ] && [ $n_seen -gt 5 ]
