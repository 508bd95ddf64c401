#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A workstation for a student lab: USD 5,000, one ordinary wall socket.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
trainrig() { "${TRAINRIG:-../run}" "$@"; }

echo '# The plain question'
trainrig recommend --budget 5000 --circuit 120V:15A --quiet

echo
echo '# What the lab adds after reading the answer'
trainrig recommend --budget 5000 --circuit 120V:15A \
  --limit 'ram_gb >= 64' --limit 'storage_gb >= 2000' --require 'storage.type = nvme' \
  --require 'psu.conn_12vhpwr >= 2' --require 'chassis.max_gpu_length_mm >= 340' \
  --require 'board.pcie_x16_cpu_slots >= 2'
