/* SPDX-License-Identifier: GPL-3.0-or-later
 * Speed of a processor core relative to the core on which the decode constants were measured. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/constants.h"
#include "model/stages.h"

/* Families by microarchitecture. The longest entry that starts a family's name counts: "Zen 4" for
 * "Zen 4 Threadripper PRO", not "Zen". */
typedef struct family_speed {
    const char *family;
    rig__constant_index index;
} family_speed;

static const family_speed families[] = {
    {"Naples", RIG__CONSTANT_speed_per_ghz_zen1},
    {"Zen", RIG__CONSTANT_speed_per_ghz_zen1},
    {"Rome", RIG__CONSTANT_speed_per_ghz_zen2},
    {"Zen 2", RIG__CONSTANT_speed_per_ghz_zen2},
    {"Milan", RIG__CONSTANT_speed_per_ghz_zen3},
    {"Zen 3", RIG__CONSTANT_speed_per_ghz_zen3},
    {"Genoa", RIG__CONSTANT_speed_per_ghz_zen4},
    {"Bergamo", RIG__CONSTANT_speed_per_ghz_zen4},
    {"Siena", RIG__CONSTANT_speed_per_ghz_zen4},
    {"Zen 4", RIG__CONSTANT_speed_per_ghz_zen4},
    {"Turin", RIG__CONSTANT_speed_per_ghz_zen5},
    {"EPYC 8005", RIG__CONSTANT_speed_per_ghz_zen5},
    {"EPYC 4005", RIG__CONSTANT_speed_per_ghz_zen5},
    {"Zen 5", RIG__CONSTANT_speed_per_ghz_zen5},
    {"Broadwell-EP", RIG__CONSTANT_speed_per_ghz_broadwell},
    {"Skylake-SP", RIG__CONSTANT_speed_per_ghz_skylake},
    {"Cascade Lake-SP", RIG__CONSTANT_speed_per_ghz_skylake},
    {"Ice Lake-SP", RIG__CONSTANT_speed_per_ghz_icelake},
    {"Sapphire Rapids", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Emerald Rapids", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Granite Rapids", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Alder Lake", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Raptor Lake", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Arrow Lake", RIG__CONSTANT_speed_per_ghz_golden_cove},
    {"Sierra Forest", RIG__CONSTANT_speed_per_ghz_sierra},
};

static double constant_at(const rig_constants *constants, rig__constant_index index)
{
    return rig_constants_get(constants, rig__model_constant_info(index)->name);
}

static double speed_per_ghz(const rig_constants *constants, const rig_cpu *cpu)
{
    size_t longest = 0;
    double speed = constants->speed_per_ghz_other;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const size_t length = strlen(families[i].family);
        if (length > longest && rig__text_has_prefix_nocase(cpu->family, families[i].family)) {
            longest = length;
            speed = constant_at(constants, families[i].index);
        }
    }
    return speed;
}

/* Share of performance cores. Hybrid Core processors run two threads on those only, so threads
 * exceed cores by their number; Arrow Lake runs one thread on every core and does not tell. */
static double pcore_share(const rig_constants *constants, const rig_cpu *cpu)
{
    if (rig__text_compare_nocase(cpu->family, "Arrow Lake") == 0) {
        return constants->arrow_lake_pcore_share;
    }
    const bool is_hybrid = cpu->threads > cpu->cores && cpu->threads < 2.0 * cpu->cores;
    return is_hybrid ? (cpu->threads - cpu->cores) / cpu->cores : 1.0;
}

/* Mean core over performance core. */
static double hybrid_factor(const rig_constants *constants, const rig_cpu *cpu)
{
    const double share = pcore_share(constants, cpu);
    return share + (1.0 - share) * constants->ecore_speed_ratio;
}

static double all_core_ghz(const rig_constants *constants, const rig_cpu *cpu)
{
    if (isnan(cpu->base_ghz)) {
        return cpu->boost_ghz;
    }
    if (isnan(cpu->boost_ghz)) {
        return cpu->base_ghz;
    }
    return cpu->base_ghz + constants->clock_boost_share * (cpu->boost_ghz - cpu->base_ghz);
}

static double clock_speed(const rig_constants *constants, const rig_cpu *cpu)
{
    return speed_per_ghz(constants, cpu) * all_core_ghz(constants, cpu) *
           hybrid_factor(constants, cpu);
}

static double all_core_speed(const rig_constants *constants, const rig_cpu *cpu)
{
    const double by_clock = clock_speed(constants, cpu);
    /* With two memory channels SPECrate measures the memory; decoding hardly needs it. */
    const bool is_desktop = rig__text_compare_nocase(cpu->segment, "desktop") == 0;
    if (is_desktop && !isnan(by_clock)) {
        return by_clock;
    }
    if (!isnan(cpu->specrate2017_int_1p)) {
        return cpu->specrate2017_int_1p / cpu->cores / constants->specrate_per_core_reference;
    }
    if (!isnan(cpu->specrate2017_int_2p)) {
        return cpu->specrate2017_int_2p / (2.0 * cpu->cores) /
               constants->specrate_per_core_reference;
    }
    if (!isnan(by_clock)) {
        return by_clock;
    }
    return cpu->geekbench6_multi / cpu->cores / constants->geekbench_per_core_reference;
}

bool rig_core_speed(const rig_constants *constants,
                    const rig_cpu *cpu,
                    double *all_core_out,
                    double *single_out)
{
    const double all_core = all_core_speed(constants, cpu);
    if (isnan(all_core)) {
        *all_core_out = NAN;
        *single_out = NAN;
        return false;
    }
    double single = all_core * constants->single_over_all_core;
    if (!isnan(cpu->boost_ghz)) {
        single = speed_per_ghz(constants, cpu) * cpu->boost_ghz;
    }
    *all_core_out = all_core;
    *single_out = single > all_core ? single : all_core;
    return true;
}
