#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs examples and compares with examples/NAME.expected: run_example.sh [--regen] NAME...
# Environment: TRAINRIG (the program), RIG_SOURCE_DIR, RIG_BINARY_DIR. A change of prices, of the
# model or of the report changes the answers: tests/examples/regen.sh writes them anew.
set -u
: "${TRAINRIG:?path of the program}" "${RIG_SOURCE_DIR:?source tree}" "${RIG_BINARY_DIR:?build tree}"
# The shipped catalogue was compiled on this day, so the age of its prices never changes.
export SOURCE_DATE_EPOCH=1796083200 LC_ALL=C TERM=dumb
unset "${!TRAINRIG_@}"
examples=$RIG_SOURCE_DIR/examples
regen=0
[ "${1:-}" = --regen ] && { regen=1; shift; }
[ $# -gt 0 ] || { echo "no example named"; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export HOME=$work
n_bad=0

print_example() {
  if [ -f "$examples/$1.sh" ]; then
    bash "$examples/$1.sh"
    return
  fi
  "$RIG_BINARY_DIR/examples/$1" "$RIG_SOURCE_DIR/catalog/data" "$RIG_SOURCE_DIR/model/data" 20000 &&
    "$RIG_BINARY_DIR/examples/$1" "$RIG_SOURCE_DIR/catalog/data" "$RIG_SOURCE_DIR/model/data" 100
}

for name in "$@"; do
  if ! print_example "$name" >"$work/stdout" 2>"$work/stderr"; then
    echo "FAILED $name"
    cat "$work/stderr"
    n_bad=$((n_bad + 1))
  elif [ $regen = 1 ]; then
    cp "$work/stdout" "$examples/$name.expected"
  elif ! diff -u "$examples/$name.expected" "$work/stdout"; then
    echo "FAILED $name: the answer has changed (tests/examples/regen.sh writes it anew)"
    n_bad=$((n_bad + 1))
  fi
done
[ $n_bad -eq 0 ]
