#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks every include against the dependency law: base <- catalog <- market <- model <- solvers <- optimizer
# <- accuracy <- report <- cli. usage: lint_layers.sh [ROOT]
set -u
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 2
law=(base catalog market model solvers optimizer accuracy report)
n_bad=0 n_includes=0

bad() {
  echo "$*"
  n_bad=$((n_bad + 1))
}

# may_see ROOM OTHER: OTHER is ROOM itself or stands to its left; cli and public headers see none.
may_see() {
  local room
  [ "$1" = "$2" ] && return 0
  case $1 in cli | include) return 1 ;; esac
  for room in "${law[@]}"; do
    [ "$room" = "$1" ] && return 1
    [ "$room" = "$2" ] && return 0
  done
  return 1
}

include_line='^([0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*([<"])([^>"]*)'

check_file() {
  local room=$1 file=$2 line number mark name target
  while IFS= read -r line; do
    [[ $line =~ $include_line ]] || continue
    number=${BASH_REMATCH[1]} mark=${BASH_REMATCH[2]} name=${BASH_REMATCH[3]}
    n_includes=$((n_includes + 1))
    target=${name%%/*}
    case $name in
      csv.h) [ "$file" = catalog/csv_reader.c ] ||
        bad "$file:$number: <csv.h> belongs in catalog/csv_reader.c alone" ;;
      glpk.h) [[ $file == solvers/glpk/* ]] ||
        bad "$file:$number: <glpk.h> belongs in solvers/glpk/ alone" ;;
      jansson.h) [[ $file == report/json_* || $file == market/specs.c ]] ||
        bad "$file:$number: <jansson.h> belongs in report/json_* and market/specs.c alone" ;;
      gsl/*) [[ "$file" =~ ^accuracy/(fit_map|gsl_guard)\.c$ ]] ||
        bad "$file:$number: <gsl/...> belongs in accuracy/fit_map.c and gsl_guard.c alone" ;;
      libsmartcols.h) [ "$file" = report/grid.c ] ||
        bad "$file:$number: <libsmartcols.h> belongs in report/grid.c alone" ;;
      argp.h) [ "$room" = cli ] || bad "$file:$number: <argp.h> belongs in cli/ alone" ;;
      locale.h) bad "$file:$number: nothing here depends on the locale" ;;
      *.c) bad "$file:$number: '$name' is not a header" ;;
      ..* | */../*) bad "$file:$number: '$name' leaves the include path (write it from the root)" ;;
      trainrig/*) ;;
      solvers/*/*) [ "${file%/*}" = "${name%/*}" ] || [[ $room == solvers && $file != */*/* ]] ||
        bad "$file:$number: '$name' is private to its solver" ;;
      base/* | catalog/* | market/* | model/* | solvers/* | optimizer/* | accuracy/* | report/* | cli/*)
        may_see "$room" "$target" || bad "$file:$number: $room must not include '$name'" ;;
      tests/* | support/*) bad "$file:$number: $room must not include '$name'" ;;
    esac
    if [[ $mark == '"' && $name != */* ]]; then
      bad "$file:$number: '$name' (write it from the root: \"$room/$name\")"
    fi
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "$file")
}

for room in include "${law[@]}" cli; do
  [ -d "$room" ] || continue
  while IFS= read -r -d '' file; do
    check_file "$room" "$file"
  done < <(find "$room" -name '*.[ch]' -print0 | sort -z)
done
echo "$n_includes includes, $n_bad against the law"
[ $n_bad -eq 0 ] && [ $n_includes -gt 0 ]
