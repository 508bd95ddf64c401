#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every file that a document links to or names in backticks as a path is there.
set -u
cd "${RIG_SOURCE_DIR:?source tree}" || exit 2
n_seen=0 n_bad=0
# What a build or the reader of a recipe makes.
made='^(build/release/|catalog/data/coolers\.csv|report/yaml_writer\.c|.*/test_yaml_writer\.c)$'

# look DOCUMENT PATH...: each relative to the document or to the root.
look() {
  local document=$1 path
  shift
  for path in "$@"; do
    [[ $path =~ $made ]] && continue
    n_seen=$((n_seen + 1))
    [ -e "$(dirname "$document")/$path" ] || [ -e "$path" ] && continue
    echo "$document: no such file: '$path'"
    n_bad=$((n_bad + 1))
  done
}

for document in README.md examples/README.md docs/optimisation.md docs/howto/*.md; do
  links=$(grep -oE '\]\([^)#: ]+[)#]' "$document" | sed -E 's/^\]\(//; s/[)#]$//')
  # shellcheck disable=SC2016 # the backticks are those of Markdown
  names=$(grep -oE '`[a-z]+(/[a-z_0-9-]+)+/?(\.(c|h|md|csv|sh|py|txt|in))?`' "$document" |
    tr -d '`' | grep -E '\.(c|h|md|csv|sh|py|txt|in)$|/$')
  # shellcheck disable=SC2086 # one word per path
  look "$document" $links $names
done
echo "$n_seen paths, $n_bad missing"
[ $n_bad -eq 0 ] && [ $n_seen -gt 20 ]
