#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every public header compiles alone, and twice, as C11 and as C++17 without a warning.
# usage: compile_alone.sh CC CXX|"" INCLUDE_DIR...
set -u
cc=$1 cxx=$2
shift 2
flags=(-fsyntax-only -Wall -Wextra -Wpedantic -pedantic -Wundef -Werror)
failed=0 n=0
for dir in "$@"; do
  flags+=(-I "$dir")
done
for dir in "$@"; do
  for header in "$dir"/trainrig/*.h; do
    name=trainrig/$(basename "$header")
    source=$(printf '#include "%s"\n#include "%s"\n' "$name" "$name")
    n=$((n + 1))
    "$cc" -x c -std=c11 "${flags[@]}" - <<<"$source
extern int rig_test_unit; int rig_test_unit;" || { echo "C11: $name"; failed=1; }
    [ -z "$cxx" ] || "$cxx" -x c++ -std=c++17 "${flags[@]}" - <<<"$source
extern int rig_test_unit; int rig_test_unit;" || { echo "C++17: $name"; failed=1; }
  done
done
echo "$n headers"
[ $failed -eq 0 ] && [ $n -ge 10 ]
