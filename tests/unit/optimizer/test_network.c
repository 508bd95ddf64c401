/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ports, protocols and rates of what joins nodes. */
#include "optimizer/network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_near.h"

static rig_nic card(double ports, double gbps, const char *protocol)
{
    rig_nic nic;
    memset(&nic, 0, sizeof nic);
    nic.ports = ports;
    nic.gbps_per_port = gbps;
    nic.protocol = protocol;
    return nic;
}

static rig_switch fabric(double ports, double gbps, const char *protocol)
{
    rig_switch out;
    memset(&out, 0, sizeof out);
    out.ports = ports;
    out.gbps_per_port = gbps;
    out.protocol = protocol;
    return out;
}

static void test_network_ports__direct_joins_two(void **state)
{
    (void)state;
    const rig_nic nic = card(2, 10, "Ethernet");
    assert_int_equal(rig__network_ports(2, &nic, 1, NULL, 0), 2);
    assert_int_equal(rig__network_ports(2, &nic, 2, NULL, 0), 4);
    assert_int_equal(rig__network_ports(3, &nic, 1, NULL, 0), 0);
    assert_int_equal(rig__network_ports(1, &nic, 1, NULL, 0), 0);
}

static void test_network_ports__each_switch_joins_all_nodes(void **state)
{
    (void)state;
    const rig_nic nic = card(2, 10, "Ethernet");
    const rig_switch eight = fabric(8, 10, "Ethernet"), none = fabric(NAN, 10, "Ethernet");
    assert_int_equal(rig__network_ports(4, &nic, 1, &eight, 1), 2); /* both ports of four nodes */
    assert_int_equal(rig__network_ports(5, &nic, 1, &eight, 1), 1); /* ten ports are too many */
    assert_int_equal(rig__network_ports(5, &nic, 1, &eight, 2), 2); /* one switch a port */
    assert_int_equal(rig__network_ports(5, &nic, 1, &eight, 9), 2); /* no more than the card has */
    assert_int_equal(rig__network_ports(9, &nic, 1, &eight, 4), 0); /* none joins all nine */
    assert_int_equal(rig__network_ports(2, &nic, 1, &none, 1), 0);
}

static void test_network_speaks__a_common_protocol(void **state)
{
    (void)state;
    const rig_nic both = card(1, 200, "InfiniBand/Ethernet"), ethernet = card(1, 10, "Ethernet");
    const rig_switch ndr = fabric(64, 400, "InfiniBand NDR"), plain = fabric(8, 10, "Ethernet"),
                     unknown = fabric(8, 10, NULL);
    assert_true(rig__network_speaks(&both, &ndr));
    assert_true(rig__network_speaks(&both, &plain));
    assert_true(rig__network_speaks(&ethernet, &plain));
    assert_false(rig__network_speaks(&ethernet, &ndr));
    assert_false(rig__network_speaks(&both, &unknown));
    assert_int_equal(rig__network_ports(2, &ethernet, 1, &ndr, 1), 0);
}

static void test_network_port_gbs__slower_end(void **state)
{
    (void)state;
    const rig_nic nic = card(1, 100, "Ethernet");
    const rig_switch slow = fabric(8, 10, "Ethernet"), fast = fabric(8, 400, "Ethernet");
    ASSERT_SAME("rate", rig__network_port_gbs(&nic, NULL), 12.5);
    ASSERT_SAME("rate", rig__network_port_gbs(&nic, &slow), 1.25);
    ASSERT_SAME("rate", rig__network_port_gbs(&nic, &fast), 12.5);
}

static void test_network_node_gbs__slots_bound_cards(void **state)
{
    (void)state;
    ASSERT_SAME("rate", rig__network_node_gbs(2, 12.5, 1, INFINITY), 25);
    ASSERT_SAME("rate", rig__network_node_gbs(2, 12.5, 1, 15.75), 15.75);
    ASSERT_SAME("rate", rig__network_node_gbs(2, 12.5, 2, 15.75), 25);
    /* three ports over two cards: one card has two of them */
    ASSERT_SAME("rate", rig__network_node_gbs(3, 12.5, 2, 15.75), 15.75 + 12.5);
    assert_true(isnan(rig__network_node_gbs(0, 12.5, 1, INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_network_ports__direct_joins_two),
        cmocka_unit_test(test_network_ports__each_switch_joins_all_nodes),
        cmocka_unit_test(test_network_speaks__a_common_protocol),
        cmocka_unit_test(test_network_port_gbs__slower_end),
        cmocka_unit_test(test_network_node_gbs__slots_bound_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
