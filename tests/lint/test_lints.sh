#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lints and the include path reject what they should. usage: test_lints.sh CC
set -u
tools=$RIG_SOURCE_DIR/tools
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n_bad=0
licence='/* SPDX-License-Identifier: GPL-3.0-or-later */'

# layers NAME EXPECTED FILE INCLUDE: exit status of lint_layers.sh for one file with one include.
layers() {
  rm -rf "$dir/t" && mkdir -p "$dir/t/$(dirname "$3")"
  printf '%s\n#include %s\n' "$licence" "$4" >"$dir/t/$3"
  "$tools/lint_layers.sh" "$dir/t" >"$dir/out" 2>&1
  local rc=$?
  [ $rc -eq "$2" ] || { echo "layers, $1: exit $rc (expected $2)"; cat "$dir/out"; n_bad=$((n_bad + 1)); }
}
layers "own room" 0 catalog/a.c '"catalog/a.h"'
layers "room to the left" 0 optimizer/a.c '"base/a.h"'
layers "room to the right" 1 catalog/a.c '"optimizer/a.h"'
layers "public header" 0 cli/a.c '"trainrig/catalog.h"'
layers "cli sees no room" 1 cli/a.c '"base/error.h"'
layers "csv in the reader" 0 catalog/csv_reader.c '<csv.h>'
layers "csv elsewhere" 1 catalog/schema.c '<csv.h>'
layers "glpk in its folder" 0 solvers/glpk/a.c '<glpk.h>'
layers "glpk elsewhere" 1 solvers/a.c '<glpk.h>'
layers "jansson in the writer" 0 report/json_writer.c '<jansson.h>'
layers "jansson elsewhere" 1 cli/a.c '<jansson.h>'
layers "tables in their file" 0 report/grid.c '<libsmartcols.h>'
layers "tables elsewhere" 1 report/json_writer.c '<libsmartcols.h>'
layers "options in cli" 0 cli/a.c '<argp.h>'
layers "options elsewhere" 1 report/a.c '<argp.h>'
layers "locale" 1 base/a.c '<locale.h>'
layers "sibling solver" 1 solvers/glpk/a.c '"solvers/bnb/a.h"'
layers "registry of solvers" 0 solvers/solver.c '"solvers/glpk/a.h"'
layers "solver from outside" 1 optimizer/a.c '"solvers/glpk/a.h"'
layers "dots" 1 base/a.c '"../optimizer/a.h"'
layers "a source" 1 base/a.c '"base/b.c"'
layers "not from the root" 1 base/a.c '"a.h"'
layers "public header includes a room" 1 include/trainrig/a.h '"base/error.h"'

# names NAME EXPECTED FILE...: exit status of lint_names.sh for files made by the caller in $dir/t.
names() {
  "$tools/lint_names.sh" "$dir/t" ${3:+"$3"} >"$dir/out" 2>&1
  local rc=$?
  [ $rc -eq "$2" ] || { echo "names, $1: exit $rc (expected $2)"; cat "$dir/out"; n_bad=$((n_bad + 1)); }
}
fresh() {
  rm -rf "$dir/t" && mkdir -p "$dir/t/base" "$dir/t/model"
  echo "$licence" >"$dir/t/base/a.c"
}
fresh && names "clean" 0
fresh && echo "$licence" >"$dir/t/model/a.c" && names "same name twice" 1
fresh && echo "int x;" >"$dir/t/model/b.c" && names "no licence" 1
fresh && yes '' | head -n 600 >>"$dir/t/base/a.c" && names "long file" 1
fresh && echo "/* TO""DO */" >>"$dir/t/base/a.c" && names "leftover" 1
for symbol in rig_catalog_load:0 rig__arena_new:0 helper:1; do
  fresh && echo "int ${symbol%:*}(void); int ${symbol%:*}(void) { return 0; }" >"$dir/s.c" &&
    "$1" -c "$dir/s.c" -o "$dir/s.o" && rm -f "$dir/s.a" && ar rc "$dir/s.a" "$dir/s.o" &&
    names "symbol ${symbol%:*}" "${symbol#*:}" "$dir/s.a"
done

# The include path itself: a room to the right cannot be included, a room to the left can.
for row in base:0 optimizer:1; do
  room=${row%:*}
  echo "#include \"$room/$(basename "$(find "$RIG_SOURCE_DIR/$room" -maxdepth 1 -name '*.h' |
    head -n 1)")\"" >"$dir/p.c"
  "$1" -std=c11 -fsyntax-only -I"$RIG_BINARY_DIR/rooms/catalog" -I"$RIG_SOURCE_DIR/include" \
    "$dir/p.c" 2>"$dir/out"
  rc=$?
  [ $((rc != 0)) -eq "${row#*:}" ] ||
    { echo "catalog includes $room: exit $rc"; cat "$dir/out"; n_bad=$((n_bad + 1)); }
done
echo "$n_bad faults"
[ $n_bad -eq 0 ]
