/* SPDX-License-Identifier: GPL-3.0-or-later
 * What joins the nodes of a cluster: ports, protocols and rates. */
#include "optimizer/network.h"

#include <math.h>

#include "base/text.h"

static const double bits_per_byte = 8;

bool rig__network_speaks(const rig_nic *nic, const rig_switch *fabric)
{
    static const char *const protocols[] = {"Ethernet", "InfiniBand"};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        if (fabric->protocol != NULL && rig__text_contains_nocase(nic->protocol, protocols[i]) &&
            rig__text_contains_nocase(fabric->protocol, protocols[i])) {
            return true;
        }
    }
    return false;
}

int rig__network_ports(
    int nodes, const rig_nic *nic, int n_nics, const rig_switch *fabric, int n_switches)
{
    const int most = n_nics * (int)nic->ports;
    if (fabric == NULL) {
        return nodes == 2 ? most : 0;
    }
    if (isnan(fabric->ports) || !rig__network_speaks(nic, fabric)) {
        return 0;
    }
    const int joined = n_switches * ((int)fabric->ports / nodes);
    return joined < most ? joined : most;
}

double rig__network_port_gbs(const rig_nic *nic, const rig_switch *fabric)
{
    const double gbps = fabric == NULL || nic->gbps_per_port < fabric->gbps_per_port
                            ? nic->gbps_per_port
                            : fabric->gbps_per_port;
    return gbps / bits_per_byte;
}

double rig__network_node_gbs(int ports, double port_gbs, int n_nics, double slot_gbs)
{
    if (ports < 1 || n_nics < 1) {
        return NAN;
    }
    const int each = ports / n_nics, n_more = ports % n_nics; /* so many cards join one more */
    return n_more * fmin((each + 1) * port_gbs, slot_gbs) +
           (n_nics - n_more) * fmin(each * port_gbs, slot_gbs);
}
