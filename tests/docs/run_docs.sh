#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands of one document: run_docs.sh DOCUMENT (relative to the source tree).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/doc_blocks.py" "${RIG_SOURCE_DIR:?source tree}/$1"
