#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes down what the program prints now as what the cases expect; read the diff before you keep it.
# usage: regen.sh PROGRAM [--model] [SUITE[/CASE]]...   --model: also freezes today's model tables.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TRAINRIG=${1:?usage: regen.sh PROGRAM [--model] [SUITE[/CASE]]...}
export TRAINRIG
shift
if [ "${1:-}" = --model ]; then
  shift
  cp "$here"/../../model/data/*.csv "$here/../data/tiny_catalog/model/" || exit 1
fi
"$here/cases.sh" --regen "$@"
