#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks symbols of the library, file names, file sizes and leftovers.
# usage: lint_names.sh [ROOT [LIBRARY]]
set -u
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 2
library=${2:-}
n_bad=0

# bad_lines TEXT: prefixes and counts each line of standard input.
bad_lines() {
  local line
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    echo "$1: $line"
    n_bad=$((n_bad + 1))
  done
}

# files PATTERN...: files of ours by name, build trees left out.
files() {
  local pattern args=()
  for pattern in "$@"; do
    args+=(-o -name "$pattern")
  done
  find . \( -name .git -o -path ./build -o -path ./shared \) -prune -o -type f \
    \( "${args[@]:1}" \) -print | sed 's|^\./||' | sort
}

# Symbols: a static library shows rig_ (public) and rig__ (shared between rooms); a shared one
# exports rig_ only. Sanitizers and coverage add their own symbols with a reserved prefix.
case $library in
  *.a) bad_lines "symbol without rig_" < <(nm -g --defined-only "$library" 2>/dev/null |
    awk 'NF == 3 && $3 !~ /^(rig_|__|_?_?asan|DW\.)/ {print $3}') ;;
  *.so*) bad_lines "exported symbol" < <(nm -D --defined-only "$library" |
    awk 'NF == 3 && $3 !~ /^(rig_[^_]|__|_init$|_fini$)/ {print $3}') ;;
esac

bad_lines "file name is not unique" < <(files '*.c' '*.h' '*.cmake' '*.sh' '*.py' '*.md' |
  grep -v -e '/README\.md$' -e '^tests/cli/' -e '^tests/golden/' | sed 's|.*/||' | sort | uniq -d)

while IFS= read -r file; do
  n_lines=$(wc -l <"$file")
  [ "$n_lines" -le 600 ] || bad_lines "$file" <<<"$n_lines lines (at most 600)"
  case $file in
    tests/*) ;;
    *.[ch]) head -n 1 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' ||
      bad_lines "$file" <<<"no licence line" ;;
  esac
done < <(files '*.c' '*.h')

leftovers="TO""DO|FIX""ME|XX""X|HA""CK"
while IFS= read -r file; do
  bad_lines "$file" < <(grep -nE "\b($leftovers)\b" "$file")
done < <(files '*.c' '*.h' '*.cmake' 'CMakeLists.txt' '*.sh' '*.py' '*.md')

echo "$n_bad faults"
[ $n_bad -eq 0 ]
