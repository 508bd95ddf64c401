#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests with coverage and prints lines and branches per room (needs lcov).
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
RIG_PRESET=coverage ./check --quiet
info=build/coverage/coverage.info
lcov --quiet --rc lcov_branch_coverage=1 --directory build/coverage --capture --output-file $info
for room in base catalog model solvers optimizer accuracy report cli; do
  printf '%-10s' $room
  lcov --quiet --rc lcov_branch_coverage=1 --extract $info "$PWD/$room/*" \
    --output-file build/coverage/$room.info
  lcov --rc lcov_branch_coverage=1 --summary build/coverage/$room.info 2>&1 |
    awk '/lines|branches/ {printf "  %s %s", $1, $2} END {print ""}'
done
