/* SPDX-License-Identifier: GPL-3.0-or-later
 * Networks between nodes: which cards and switches join, by how many ports and at what rate. */
#ifndef RIG_OPTIMIZER_NETWORK_H
#define RIG_OPTIMIZER_NETWORK_H

#include <stdbool.h>

#include "trainrig/catalog.h"

/** Do a card and a switch speak a common protocol? Ethernet or InfiniBand, whatever the speed. */
bool rig__network_speaks(const rig_nic *nic, const rig_switch *fabric);

/** Ports of each node that are joined; each takes a port of a switch that joins all nodes.
 *
 *  Without a switch: all ports of two nodes, none of more. With switches of P ports: every one
 *  joins all nodes floor(P / nodes) times over; 0 where P < nodes.
 *  @param fabric  NULL: none   @return 0 .. n_nics * ports */
int rig__network_ports(
    int nodes, const rig_nic *nic, int n_nics, const rig_switch *fabric, int n_switches);

/** Rate of a joined port in one direction: that of the slower end [GB/s]. */
double rig__network_port_gbs(const rig_nic *nic, const rig_switch *fabric);

/** Rate of a node in one direction [GB/s]: its joined ports, spread over its cards, each card no
 *  faster than its slot. NAN when no port is joined.
 *  @param slot_gbs  bandwidth of the slot of one card, INFINITY: no bound */
double rig__network_node_gbs(int ports, double port_gbs, int n_nics, double slot_gbs);

#endif
