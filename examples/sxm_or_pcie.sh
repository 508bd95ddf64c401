#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# USD 300,000 for large vision transformers: eight cards on PCIe or an SXM server?
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
trainrig() { "${TRAINRIG:-../run}" "$@"; }

box=(--workload vit_l16-imagenet --budget 300000 --require 'gpu.count = 8'
  --limit 'ram_gb >= 1024' --limit 'storage_gb >= 7600'
  --forbid 'storage.type = hdd' --forbid 'storage.type = sata-ssd')

echo '# Eight cards in one box: the fastest within the budget'
trainrig recommend "${box[@]}" --top 4

echo
echo '# Complete SXM servers, predicted with the same workload'
trainrig predict --workload vit_l16-imagenet requests/sxm_servers.csv --quiet

echo
echo '# Does any SXM server fit the budget? Ask for the DGX H100'
trainrig recommend --workload vit_l16-imagenet --budget 300000 \
  --fix 'server = NVIDIA DGX H100' --quiet || echo "exit status $?"

echo
echo '# The least money per epoch, an epoch taking at most 20 minutes'
trainrig recommend "${box[@]}" --objective cost-per-epoch --epoch-time-max 20min --quiet
