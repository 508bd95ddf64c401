#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what the program prints now into the documents: tools/refresh_docs.sh [PROGRAM]
# Needed after a change of prices, of the model or of the report; read the difference before you
# commit it. Without PROGRAM the release build is used (made by ./run).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TRAINRIG=${1:-$root/build/release/trainrig} RIG_SOURCE_DIR=$root
cd "$root"
python3 tests/docs/doc_blocks.py --refresh README.md docs/howto/*.md
