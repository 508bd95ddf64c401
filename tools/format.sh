#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats all C files in place; with --check it changes nothing and fails when it would.
# clang-format 14 is the reference: other versions break lines differently.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
format=$(command -v clang-format-14 || command -v clang-format) || {
  echo "clang-format not found" >&2
  exit 2
}
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror)
find base catalog model solvers optimizer accuracy report cli include tests examples bench \
  -name '*.[ch]' -print0 | xargs -0 "$format" "${mode[@]}"
