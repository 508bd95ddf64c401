/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb help: short help, and help on a verb or topic. */
#include <string.h>

#include "cli/commands.h"

const char *const rig__cli_examples[N_VERBS] = {
    [VERB_RECOMMEND] = "trainrig recommend --budget 20k\n"
                       "trainrig recommend --budget 20k --top 5 --require 'gpu.mem_gb >= 24'\n"
                       "trainrig recommend --objective price --epoch-time-max 20min\n"
                       "trainrig recommend -b 20k --own 'cpu = EPYC 7302' --format csv -o out.csv\n"
                       "trainrig recommend --budget 20k --top 5 --format html -o report.html\n",
    [VERB_FRONTIER] = "trainrig frontier --from 3000 --to 60000\n"
                      "trainrig frontier --budget 3k..60k --require 'gpu.mem_gb >= 24'\n"
                      "trainrig frontier --from 5k --to 20k --format csv -o frontier.csv\n"
                      "trainrig frontier --from 3k --to 60k --format html -o frontier.html\n",
    [VERB_SWEEP] = "trainrig sweep scenarios.csv -o results.csv\n"
                   "trainrig sweep scenarios.csv -o results.csv --resume --threads 8\n"
                   "trainrig sweep scenarios.csv --budget 20k --shard 2/8 -o part2.csv\n",
    [VERB_COMPARE] = "trainrig compare --budget 20k\n"
                     "trainrig compare --budget 20k --top 3 --interest 5% --resale 20%\n"
                     "trainrig compare shortlist.csv --owned lab.csv --cloud 'lambda 8x V100*'\n"
                     "trainrig compare --gpu 'RTX 4090 x4' --cpu 'EPYC 9354' -w "
                     "vit_b16-imagenet\n",
    [VERB_EXPORT] = "trainrig export --budget 20k -o server.lp\n"
                    "glpsol --lp server.lp --output server.sol\n"
                    "trainrig export --budget 20k --read-solution server.sol\n"
                    "trainrig export --objective price --epoch-time-max 20min -o server.mps\n",
    [VERB_PREDICT] =
        "trainrig predict --cpu 'AMD EPYC 9354 x2' --gpu 'RTX 4090 x4'\n"
        "trainrig predict --gpu 'RTX 3090' --cores 16 --ram 64GB --storage-rate 3GB/s\n"
        "trainrig predict builds.csv --format csv\n"
        "trainrig predict --gpu 'RTX 4090' --cores 8 --measured 600\n",
    [VERB_REQUIRE] = "trainrig require --gpu 'RTX 4090 x4'\n"
                     "trainrig require --workload resnet50-imagenet --epoch-time 20min\n"
                     "trainrig require --images-per-s 5000 --cores 32\n",
    [VERB_VALIDATE] = "trainrig validate\n"
                      "trainrig validate my-runs.csv --by gpu,stack --residuals residuals.csv\n"
                      "trainrig validate --leave-out gpu --fit model --format json\n"
                      "trainrig validate --targets\n",
    [VERB_CALIBRATE] = "trainrig calibrate my-runs.csv\n"
                       "trainrig recommend --budget 20k --profile profile.csv\n"
                       "trainrig calibrate my-runs.csv --save lab.csv --leave-out row\n",
    [VERB_CATALOG] = "trainrig catalog list gpus --require 'mem_gb >= 24' --sort price_usd\n"
                     "trainrig catalog show 'RTX 4090'\n"
                     "trainrig catalog check my-parts/\n"
                     "trainrig catalog import lists/ specifications/ --into my-market/\n",
    [VERB_HELP] = "trainrig help recommend\n"
                  "trainrig help exit-codes\n"
                  "trainrig help --man | man -l -\n",
    [VERB_COMPLETION] = "source <(trainrig completion bash)\n"
                        "trainrig completion fish > ~/.config/fish/completions/trainrig.fish\n"};

void rig__cli_short_help(FILE *stream)
{
    fputs("Usage: trainrig VERB [OPTION]...\n"
          "Which GPU server to buy for training a network, within a budget, with proof.\n\n"
          "  trainrig recommend --budget 20k\n"
          "  trainrig predict --cpu 'AMD EPYC 9354' --gpu 'RTX 4090 x2'\n\n",
          stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "  %-10s  %s\n", rig__cli_verbs[verb].name, rig__cli_verbs[verb].summary);
    }
    fputs("\n'trainrig VERB --help' lists the options of a verb.\n", stream);
}

#define HELP_COLUMN 28
#define HELP_WIDTH 79

/* Words of a text from the column on, wrapped; the column is the one the line has reached. A word
 * that is longer than a line is broken behind a '|'. */
static void put_wrapped(FILE *stream, const char *text, size_t *column)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (*column + 1 + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_COLUMN - 1, "");
            *column = HELP_COLUMN - 1;
        }
        const size_t room = HELP_WIDTH - 1 - *column;
        for (size_t i = length > room ? room : 0; i > 0; i--) {
            if (text[i - 1] == '|') {
                length = i;
                break;
            }
        }
        fprintf(stream, " %.*s", (int)length, text);
        *column += 1 + length;
        text += length + (text[length] == ' ' ? 1 : 0);
    }
}

static void put_option(FILE *stream, const cli_option *option)
{
    char head[128], more[160];
    const bool has_argument = option->argument[0] != '\0';
    if (option->key != 0) {
        snprintf(head, sizeof head, "  -%c, --%s", option->key, option->name);
    } else {
        snprintf(head, sizeof head, "      --%s", option->name);
    }
    size_t column =
        (size_t)fprintf(stream, "%s%s%s", head, has_argument ? "=" : "", option->argument);
    if (column > HELP_COLUMN - 2) {
        fputs("\n", stream);
        column = 0;
    }
    fprintf(stream, "%*s", (int)(HELP_COLUMN - 1 - column), "");
    column = HELP_COLUMN - 1;
    put_wrapped(stream, option->help, &column);
    if (option->choices[0] != '\0') {
        snprintf(more, sizeof more, "(%s)", option->choices);
        put_wrapped(stream, more, &column);
    }
    if (option->fallback[0] != '\0') {
        snprintf(more, sizeof more, "[%s]", option->fallback);
        put_wrapped(stream, more, &column);
    }
    fputs("\n", stream);
}

/* The options of a verb by groups; defaults in brackets. */
static void put_options(FILE *stream, cli_verb verb)
{
    for (int group = 0; group < N_GROUPS; group++) {
        bool is_headed = false;
        for (int id = 0; id < N_OPTIONS; id++) {
            const cli_option *option = &rig__cli_options[id];
            if ((int)option->group != group || (option->verbs & (1u << verb)) == 0) {
                continue;
            }
            if (!is_headed) {
                fprintf(stream, "\n%s\n", rig__cli_headings[group]);
                is_headed = true;
            }
            put_option(stream, option);
        }
    }
}

void rig__cli_verb_help(FILE *stream, cli_verb verb)
{
    const cli_verb_info *info = &rig__cli_verbs[verb];
    fprintf(stream,
            "Usage: trainrig %s%s%s [OPTION]...\n%c%s.\n\nExamples:\n",
            info->name,
            info->arguments[0] != '\0' ? " " : "",
            info->arguments,
            info->summary[0] - 'a' + 'A',
            info->summary + 1);
    const char *line = rig__cli_examples[verb];
    while (*line != '\0') {
        const size_t length = strcspn(line, "\n");
        fprintf(stream, "  %.*s\n", (int)length, line);
        line += length + 1;
    }
    put_options(stream, verb);
}

static cli_exit print_topic(FILE *stream, const char *name)
{
    const cli_verb verb = rig__cli_verb_find(name);
    if (verb != VERB_NONE) {
        rig__cli_verb_help(stream, verb);
        if (verb == VERB_CATALOG) {
            fputs("\n", stream);
            rig__cli_print_topic(stream, "catalog-schema");
        }
        return CLI_EXIT_OK;
    }
    return rig__cli_print_topic(stream, name);
}

cli_exit rig__cli_help(const cli_input *input)
{
    cli_output output;
    if (input->n_arguments > 1) {
        rig__cli_error("unexpected argument: '%s' (help takes one topic)", input->arguments[1]);
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_output_open(&output, input));
    cli_exit code = CLI_EXIT_OK;
    if (rig__cli_is_given(input, OPT_MAN)) {
        rig__cli_man_page(output.stream);
    } else if (input->n_arguments == 0) {
        rig__cli_short_help(output.stream);
    } else {
        code = print_topic(output.stream, input->arguments[0]);
    }
    const cli_exit closed = rig__cli_output_close(&output, code == CLI_EXIT_OK);
    return closed != CLI_EXIT_OK ? closed : code;
}
