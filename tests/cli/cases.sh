#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the cases of the command line: SUITE/CASE.cmd is a bash script that calls trainrig; beside it
#   CASE.stdout.exact or .glob, CASE.stderr.exact or .glob   what is printed, default nothing
#   CASE.exit                                                exit code, default 0
# usage: cases.sh [--regen] [SUITE[/CASE]]...   Environment: TRAINRIG, path of the program.
# --regen writes down what happens now: files *.glob are kept and only checked.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${TRAINRIG:?path of the program}"
program=$(realpath "$TRAINRIG") || exit 2
regen=0
[ "${1:-}" = --regen ] && { regen=1; shift; }
if [ $# -eq 0 ]; then
  cd "$here" && set -- */ && cd - >/dev/null || exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n_run=0 n_bad=0

# The program under test sees nothing of the machine it runs on.
run_case() {
  local bin=$work/bin data
  mkdir -p "$bin" "$work/case" "$work/home"
  ln -sf "$program" "$bin/trainrig"
  data=$(cd "$here/../data/tiny_catalog" && pwd)
  (cd "$work/case" && env -i PATH="$bin:$PATH" HOME="$work/home" TMPDIR="$work" LC_ALL=C TERM=dumb \
    SOURCE_DATE_EPOCH=1767225600 TRAINRIG_DATA="$data" SOURCE="$here/../.." \
    ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} \
    bash "$1" </dev/null >"$work/stdout" 2>"$work/stderr")
  code=$?
  rm -rf "${work:?}/case" "${work:?}/home"
}

bad() {
  echo "FAILED $1: $2"
  n_bad=$((n_bad + 1))
}

# check_text CASE STREAM: what was printed against CASE.STREAM.exact or .glob.
check_text() {
  local base=$1 stream=$2 text
  if [ -f "$base.$stream.glob" ]; then
    text=$(cat "$base.$stream.glob")
    # shellcheck disable=SC2053
    [[ $(cat "$work/$stream") == $text ]] && return
    bad "$base" "$stream does not match"
    cat "$work/$stream"
    return
  fi
  if [ $regen = 1 ]; then
    rm -f "$base.$stream.exact"
    [ ! -s "$work/$stream" ] || cp "$work/$stream" "$base.$stream.exact"
  elif [ -f "$base.$stream.exact" ]; then
    diff -u "$base.$stream.exact" "$work/$stream" || bad "$base" "$stream differs"
  elif [ -s "$work/$stream" ]; then
    bad "$base" "$stream is not silent"
    cat "$work/$stream"
  fi
}

check_case() {
  local base=${1%.cmd} want=0
  run_case "$1"
  n_run=$((n_run + 1))
  [ -f "$base.exit" ] && want=$(cat "$base.exit")
  if [ $regen = 1 ]; then
    rm -f "$base.exit"
    [ $code -eq 0 ] || echo $code >"$base.exit"
  elif [ $code -ne "$want" ]; then
    bad "$base" "exit $code instead of $want"
    cat "$work/stderr"
  fi
  check_text "$base" stdout
  check_text "$base" stderr
}

for what in "$@"; do
  n_before=$n_run
  for case in "$here/${what%/}".cmd "$here/${what%/}"/*.cmd; do
    [ -f "$case" ] && check_case "$case"
  done
  [ $n_run -gt $n_before ] || bad "$what" "no such case"
done
echo "$n_run cases, $n_bad failures"
[ $n_bad -eq 0 ] && [ $n_run -gt 0 ]
