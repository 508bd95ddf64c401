/* SPDX-License-Identifier: GPL-3.0-or-later
 * Topics of help: exit codes, schema of the catalogue, units, conditions, configuration. */
#include <string.h>

#include "cli/commands.h"
#include "cli/nearest.h"
#include "trainrig/catalog.h"
#include "trainrig/optimizer.h"

static void print_exit_codes(FILE *stream)
{
    fputs("Exit codes:\n", stream);
#define EXIT_LINE(enumerator, value, text) fprintf(stream, "  %3d  %s\n", value, text);
    CLI_EXIT_MAP(EXIT_LINE)
#undef EXIT_LINE
}

static void print_units(FILE *stream)
{
    fputs("Numbers are read the same in every locale; '.' is the decimal sign.\n"
          "  money      20k, $20,000, 20000USD       US dollars\n"
          "  time       90, 90s, 20min, 2.5h, 3d, 3y seconds where no unit is written\n"
          "  capacity   500GB, 1.5TB, 512GiB         GB is 1e9 bytes, GiB is 2^30 bytes\n"
          "  memory     64GB, 1TB                    as memory is sold: 2^30 and 2^40 bytes\n"
          "  rate       7GB/s, 500MB/s               GB/s where no unit is written\n"
          "  power      350, 350W, 1.6kW             watts\n"
          "  share      0.2, 20%                     of one\n"
          "  circuit    110V:15A                     80 % of volts times amperes, or watts\n"
          "  date       2025, 2025-01, 2025-01-31\n"
          "Machine formats carry the unit in the column name: price_usd, epoch_s, power_w.\n",
          stream);
}

static void print_conditions(FILE *stream)
{
    fputs("--require and --forbid look at one part: CLASS.COLUMN COMPARISON VALUE\n"
          "  gpu.mem_gb >= 24       cpu.vendor = Intel       gpu.name = *RTX*\n"
          "'=' ignores case, '*' matches any run of characters. An unknown value satisfies no\n"
          "comparison. 'trainrig help catalog' lists the columns.\n\n"
          "--limit bounds a total of each machine, or of all nodes and switches with total_ in "
          "front,\n"
          "as in 'total_power_w <= 6000'; price_usd is always the price of everything:\n ",
          stream);
    for (int total = 0; total < RIG_N_TOTALS; total++) {
        fprintf(stream, " %s", rig_total_name((rig_total)total));
    }
    fputs("\n\n--fix and --own name a part and a count: gpu = RTX 4090 x2; with several nodes the "
          "count\nis of each node, of switches that of all together\n"
          "Comparisons: < <= = != >= >\n",
          stream);
}

static void print_config(FILE *stream)
{
    fputs(
        "Settings, strongest first:\n"
        "  options of the command line\n"
        "  environment: TRAINRIG_ and the option in capitals, as in TRAINRIG_BUDGET=20k\n"
        "  ./trainrig.conf\n"
        "  $XDG_CONFIG_HOME/trainrig/config, else ~/.config/trainrig/config\n"
        "  what is built in\n"
        "A file holds lines 'key = value'; the key is the name of an option without the dashes,\n"
        "switches take yes or no, '#' starts a comment line. Options that may be repeated on the\n"
        "command line may be repeated in a file; a stronger place replaces the whole list.\n"
        "--verbose prints where each setting came from.\n\n"
        "TRAINRIG_DATA names a directory with catalog/ and model/ instead of the shipped ones.\n"
        "SOURCE_DATE_EPOCH (seconds) stands for today, NO_COLOR and CLICOLOR_FORCE switch "
        "colour.\n",
        stream);
}

static void print_columns(FILE *stream, rig_table table)
{
    fprintf(stream, "\n%s.csv\n", rig_table_stem(table));
    for (size_t i = 0; i < rig_column_count(table); i++) {
        const rig_column *column = rig_column_at(table, i);
        fprintf(stream,
                "  %-24s %-8s %s%s\n",
                column->name,
                column->unit,
                column->help != NULL ? column->help : "",
                column->is_required ? " (required)" : "");
    }
}

static void print_catalog(FILE *stream)
{
    fputs("A catalogue directory holds the CSV files below, each optional. First row: column\n"
          "names. UTF-8, comma, '.' as the decimal sign. An empty cell is an unknown value.\n",
          stream);
    for (int table = 0; table < RIG_N_TABLES; table++) {
        print_columns(stream, (rig_table)table);
    }
}

static const struct {
    const char *name;
    void (*print)(FILE *stream);
} topics[] = {{"exit-codes", print_exit_codes},
              {"catalog-schema", print_catalog},
              {"units", print_units},
              {"conditions", print_conditions},
              {"config", print_config}};
#define N_TOPICS (sizeof topics / sizeof topics[0])

static cli_exit report_topic(const char *name)
{
    cli_nearest nearest = rig__cli_nearest_start(name, strlen(name));
    char list[256] = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        rig__cli_nearest_offer(&nearest, rig__cli_verbs[verb].name);
    }
    for (size_t i = 0; i < N_TOPICS; i++) {
        rig__cli_nearest_offer(&nearest, topics[i].name);
        rig__cli_append(list, sizeof list, ", ");
        rig__cli_append(list, sizeof list, topics[i].name);
    }
    rig__cli_error("unknown topic: '%s' (expected a verb%s)", name, list);
    if (rig__cli_nearest_name(&nearest) != NULL) {
        rig__cli_error("hint: did you mean %s?", rig__cli_nearest_name(&nearest));
    }
    return CLI_EXIT_USAGE;
}

cli_exit rig__cli_print_topic(FILE *stream, const char *name)
{
    for (size_t i = 0; i < N_TOPICS; i++) {
        if (strcmp(topics[i].name, name) == 0) {
            topics[i].print(stream);
            return CLI_EXIT_OK;
        }
    }
    return report_topic(name);
}
