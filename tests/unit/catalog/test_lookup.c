/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finding rows by what a person writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/catalog_load.h"

static const char *const names[] = {
    "NVIDIA GeForce RTX 3080 10GB",
    "NVIDIA GeForce RTX 3080 12GB",
    "NVIDIA GeForce RTX 3080 Ti",
    "NVIDIA GeForce RTX 3090",
    "NVIDIA GeForce RTX 3090 Ti",
    "NVIDIA GeForce RTX 4090",
    "NVIDIA GeForce RTX 5060 Ti 16GB",
    "NVIDIA GeForce RTX 5090",
    "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
    "NVIDIA RTX A6000",
    "NVIDIA RTX 6000 Ada Generation",
    "NVIDIA A100 PCIe 40GB",
    "NVIDIA A100 PCIe 80GB",
    "NVIDIA A100 SXM4 80GB",
    "NVIDIA H100 NVL 94GB",
    "NVIDIA H100 PCIe 80GB",
    "AMD EPYC 9354",
    "AMD EPYC 9354P",
    "AMD Ryzen Threadripper PRO 7975WX",
    "AMD Ryzen 9 9950X",
    "AMD Ryzen 9 9950X3D",
    "Samsung 990 Pro 1TB",
    "Samsung 990 Pro 2TB",
    "Samsung 990 Pro w/ Heatsink 2TB",
    "ASUS Pro WS WRX90E-SAGE SE",
    "ASRock Rack ROMED8-2T",
    "ASRock Rack ROMED8-2T/BCM",
    "nvidia a2",
    "NVIDIA A2",
};

static int load_names(void **state)
{
    static char text[4096] = "name,form_factor\n";
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t n = strlen(names[i]);
        memcpy(text + length, names[i], n);
        memcpy(text + length + n, ",x\n", 4);
        length += n + 3;
    }
    const rig__table_text table = {RIG_TABLE_CHASSIS, "t.csv", text, length};
    const rig_catalog_options options = rig_catalog_options_default();
    rig_catalog *catalog = NULL;
    const rig_status status = rig__catalog_load_text(&catalog, &table, &options, NULL);
    *state = catalog;
    return status == RIG_OK ? 0 : -1;
}

static int free_names(void **state)
{
    rig_catalog_free(*state);
    return 0;
}

static void test_find__what_people_write(void **state)
{
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"},
        {"nvidia geforce rtx 4090", "NVIDIA GeForce RTX 4090"},
        {"RTX 4090", "NVIDIA GeForce RTX 4090"},
        {"rtx4090", "NVIDIA GeForce RTX 4090"},
        {"4090", "NVIDIA GeForce RTX 4090"},
        {"4090 geforce", "NVIDIA GeForce RTX 4090"},
        {"RTX 5090", "NVIDIA GeForce RTX 5090"},
        {"RTX 3090", "NVIDIA GeForce RTX 3090"},
        {"RTX 3090 Ti", "NVIDIA GeForce RTX 3090 Ti"},
        {"3090Ti", "NVIDIA GeForce RTX 3090 Ti"},
        {"RTX A6000", "NVIDIA RTX A6000"},
        {"A6000", "NVIDIA RTX A6000"},
        {"RTX 5060 Ti", "NVIDIA GeForce RTX 5060 Ti 16GB"},
        {"5060ti", "NVIDIA GeForce RTX 5060 Ti 16GB"},
        {"3080 12GB", "NVIDIA GeForce RTX 3080 12GB"},
        {"RTX PRO 6000 Blackwell Max-Q", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"},
        {"RTX 6000 Ada", "NVIDIA RTX 6000 Ada Generation"},
        {"A100 PCIe 80GB", "NVIDIA A100 PCIe 80GB"},
        {"A100-PCIe-80GB", "NVIDIA A100 PCIe 80GB"},
        {"A100 PCIe 80 GB", "NVIDIA A100 PCIe 80GB"},
        {"H100 NVL", "NVIDIA H100 NVL 94GB"},
        {"EPYC 9354", "AMD EPYC 9354"},
        {"9354P", "AMD EPYC 9354P"},
        {"7975WX", "AMD Ryzen Threadripper PRO 7975WX"},
        {"Ryzen 9 9950X", "AMD Ryzen 9 9950X"},
        {"9950x3d", "AMD Ryzen 9 9950X3D"},
        {"990 Pro 2TB", "Samsung 990 Pro 2TB"},
        {"WRX90E-SAGE", "ASUS Pro WS WRX90E-SAGE SE"},
        {"ROMED8-2T", "ASRock Rack ROMED8-2T"},
        {"ROMED8-2T/BCM", "ASRock Rack ROMED8-2T/BCM"},
        {"nvidia a2", "nvidia a2"}, /* exact before equal without case */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_row *row = NULL;
        rig_error err = {0};
        if (rig_catalog_find(*state, RIG_TABLE_CHASSIS, rows[i].text, &row, &err) != RIG_OK ||
            strcmp(row->name, rows[i].name) != 0) {
            fail_msg("'%s': %s %s [%s]",
                     rows[i].text,
                     row == NULL ? "nothing" : row->name,
                     err.message,
                     err.hint);
        }
    }
}

static void test_find__ambiguous_or_unknown(void **state)
{
    static const struct {
        const char *text;
        rig_status status;
        const char *message, *hint;
    } rows[] = {
        {"A100",
         RIG_E_INVALID,
         "ambiguous chassis: 'A100' (3 names hold these words)",
         "NVIDIA A100 PCIe 40GB; NVIDIA A100 PCIe 80GB; NVIDIA A100 SXM4 80GB"},
        {"RTX 3080",
         RIG_E_INVALID,
         "ambiguous chassis: 'RTX 3080' (2 names hold these words)",
         "NVIDIA GeForce RTX 3080 10GB; NVIDIA GeForce RTX 3080 12GB"},
        {"RTX 5060",
         RIG_E_NOTFOUND,
         "no such chassis: 'RTX 5060'",
         "nearest: NVIDIA GeForce RTX 5060 Ti 16GB; "},
        {"RTX PRO 6000 Blackwell",
         RIG_E_NOTFOUND,
         "no such chassis: 'RTX PRO 6000 Blackwell'",
         "nearest: NVIDIA RTX PRO 6000 Blackwell Max-Q"},
        {"Ryzen 9950",
         RIG_E_NOTFOUND,
         "no such chassis: 'Ryzen 9950'",
         "nearest: AMD Ryzen 9 9950X"},
        {"RTX 6000", RIG_E_NOTFOUND, "no such chassis: 'RTX 6000'", "NVIDIA RTX 6000 Ada"},
        {"Nvidia A2", RIG_E_INVALID, "ambiguous chassis: 'Nvidia A2'", "NVIDIA A2; nvidia a2"},
        {"NVIDIA", RIG_E_INVALID, "ambiguous chassis: 'NVIDIA' (13 names", "; and "},
        {"RTX 4909",
         RIG_E_NOTFOUND,
         "no such chassis: 'RTX 4909' (expected a name of chassis.csv)",
         "nearest: NVIDIA GeForce RTX 4090; "},
        {"Rzyen 9950X",
         RIG_E_NOTFOUND,
         "no such chassis: 'Rzyen 9950X'",
         "nearest: AMD Ryzen 9 9950X; AMD Ryzen 9 9950X3D"},
        {"completely different", RIG_E_NOTFOUND, "no such chassis", ""},
        {"", RIG_E_NOTFOUND, "no such chassis: ''", ""},
        {" -,", RIG_E_NOTFOUND, "no such chassis: ' -,'", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rig_row *row = NULL;
        rig_error err = {0};
        const rig_status status =
            rig_catalog_find(*state, RIG_TABLE_CHASSIS, rows[i].text, &row, &err);
        if (status != rows[i].status || row != NULL ||
            strstr(err.message, rows[i].message) != err.message ||
            strstr(err.hint, rows[i].hint) == NULL ||
            (rows[i].hint[0] == '\0' && err.hint[0] != '\0')) {
            fail_msg("'%s': %s: %s [%s]",
                     rows[i].text,
                     row == NULL ? "nothing" : row->name,
                     err.message,
                     err.hint);
        }
        assert_int_equal(rig_catalog_find(*state, RIG_TABLE_CHASSIS, rows[i].text, &row, NULL),
                         status);
    }
}

static void test_find__long_texts(void **state)
{
    static char text[4096];
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        text[i] = i % 3 == 2 ? ' ' : 'x';
    }
    const rig_row *row = NULL;
    rig_error err = {0};
    assert_int_equal(rig_catalog_find(*state, RIG_TABLE_CHASSIS, text, &row, &err), RIG_E_NOTFOUND);
    memset(text, 'y', sizeof text - 1);
    assert_int_equal(rig_catalog_find(*state, RIG_TABLE_CHASSIS, text, &row, &err), RIG_E_NOTFOUND);
    assert_int_equal(rig_catalog_find(*state, RIG_TABLE_GPU, "RTX 4090", &row, &err),
                     RIG_E_NOTFOUND);
    assert_string_equal(err.hint, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find__what_people_write),
        cmocka_unit_test(test_find__ambiguous_or_unknown),
        cmocka_unit_test(test_find__long_texts),
    };
    return cmocka_run_group_tests(tests, load_names, free_names);
}
