#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/run reads its options and names every target; nothing is built or timed here.
set -u
fail() {
  echo "FAIL: $*"
  exit 1
}
command -v python3 >/dev/null || { echo "no python3, nothing to check"; exit 77; }
listed=$("$RIG_SOURCE_DIR/bench/run" --quick --list) || fail "--quick --list: exit $?"
for word in 'x10 of scale 1;' solvers reading memory growth top frontier sweep; do
  [[ $listed == *"$word"* ]] || fail "not listed: $word"
done
for wrong in '--scale 0' '--scale nan' '--repeats 0' '--solver-time 0' '--market /nowhere' '--unheard'; do
  # shellcheck disable=SC2086 # option and value
  "$RIG_SOURCE_DIR/bench/run" --list $wrong >/dev/null 2>&1 && fail "taken: $wrong"
done
bash -n "$RIG_SOURCE_DIR/bench/run" "$RIG_SOURCE_DIR/bench/make_market" || fail "syntax"
