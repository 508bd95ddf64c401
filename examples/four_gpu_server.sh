#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A four-GPU server for USD 25,000: no Intel, drives already there, a dealer's quotes.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
trainrig() { "${TRAINRIG:-../run}" "$@"; }

question=(recommend --budget 25000 --top 3 --price-trust fair
  --require 'gpu.count = 4' --require 'gpu.mem_gb >= 24' --forbid 'cpu.vendor = Intel'
  --limit 'ram_gb >= 256' --require 'memory.mts >= 2666'
  --own 'storage = Samsung 990 Pro 4TB x2')

echo '# At list prices'
trainrig "${question[@]}" --quiet

echo
echo '# With the quotes of the dealer'
trainrig "${question[@]}" --prices requests/dealer_quotes.csv

echo
echo '# The shortlist for the purchasing department'
trainrig "${question[@]}" --prices requests/dealer_quotes.csv --format csv --quiet |
  cut -d, -f1,5,7,10
