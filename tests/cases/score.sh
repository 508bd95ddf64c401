#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The binding stage of public reports: score_cases.py with the program under test.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/score_cases.py" "${TRAINRIG:?path of the program}"
