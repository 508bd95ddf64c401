#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the expected output of all examples anew: tests/examples/regen.sh [BUILD_DIR]
# BUILD_DIR holds a build with tests, by default build/dev (made by ./check). Read the difference
# before you commit it: each changed line is a changed answer.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "${1:-$root/build/dev}")
export TRAINRIG=$build/trainrig RIG_SOURCE_DIR=$root RIG_BINARY_DIR=$build
cd "$root/examples"
scripts=(*.sh)
programs=(*.c)
exec "$root/tests/examples/run_example.sh" --regen "${scripts[@]%.sh}" "${programs[@]%.c}"
