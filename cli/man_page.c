/* SPDX-License-Identifier: GPL-3.0-or-later
 * The manual page, made from the option table. */
#include <string.h>

#include "cli/commands.h"
#include "trainrig/version.h"

/* Text for troff: no control line by chance, hyphens that can be searched for and copied. */
static void put_text(FILE *stream, const char *text)
{
    if (text[0] == '.' || text[0] == '\'') {
        fputs("\\&", stream);
    }
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '\\':
            fputs("\\e", stream);
            break;
        case '-':
            fputs("\\-", stream);
            break;
        case '\'':
            fputs("\\(aq", stream);
            break;
        default:
            fputc(*c, stream);
        }
    }
}

static void put_option(FILE *stream, const cli_option *option)
{
    fputs(".TP\n", stream);
    if (option->key != 0) {
        fprintf(stream, "\\fB\\-%c\\fR, ", option->key);
    }
    fputs("\\fB\\-\\-", stream);
    put_text(stream, option->name);
    fputs("\\fR", stream);
    if (option->argument[0] != '\0') {
        fputs("=\\fI", stream);
        put_text(stream, option->argument);
        fputs("\\fR", stream);
    }
    fputs("\n", stream);
    put_text(stream, option->help);
    if (option->choices[0] != '\0') {
        fputs(": ", stream);
        put_text(stream, option->choices);
    }
    if (option->fallback[0] != '\0') {
        fputs(" (default ", stream);
        put_text(stream, option->fallback);
        fputs(")", stream);
    }
    fputs("\n(", stream);
    const char *separator = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        if ((option->verbs & (1u << verb)) != 0) {
            fprintf(stream, "%s%s", separator, rig__cli_verbs[verb].name);
            separator = ", ";
        }
    }
    fputs(")\n", stream);
}

static void put_options(FILE *stream)
{
    fputs(".SH OPTIONS\nThe verbs that take an option stand in parentheses. Options may stand "
          "anywhere; \\- is standard input or output.\n",
          stream);
    for (int group = 0; group < N_GROUPS; group++) {
        fputs(".SS \"", stream);
        put_text(stream, rig__cli_headings[group]);
        fputs("\"\n", stream);
        for (int id = 0; id < N_OPTIONS; id++) {
            if ((int)rig__cli_options[id].group == group) {
                put_option(stream, &rig__cli_options[id]);
            }
        }
    }
}

static void put_verbs(FILE *stream)
{
    fputs(".SH VERBS\n", stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        const cli_verb_info *info = &rig__cli_verbs[verb];
        fprintf(stream, ".TP\n\\fB%s\\fR ", info->name);
        put_text(stream, info->arguments);
        fputs("\n", stream);
        put_text(stream, info->summary);
        fputs("\n", stream);
    }
}

static void put_examples(FILE *stream)
{
    fputs(".SH EXAMPLES\n.nf\n", stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        put_text(stream, rig__cli_examples[verb]);
    }
    fputs(".fi\n", stream);
}

static void put_exit_codes(FILE *stream)
{
    fputs(".SH \"EXIT STATUS\"\n", stream);
#define EXIT_ITEM(enumerator, value, text)                                                         \
    fprintf(stream, ".TP\n%d\n", value);                                                           \
    put_text(stream, text);                                                                        \
    fputs("\n", stream);
    CLI_EXIT_MAP(EXIT_ITEM)
#undef EXIT_ITEM
}

void rig__cli_man_page(FILE *stream)
{
    fprintf(stream,
            ".TH TRAINRIG 1 \"\" \"trainrig %s\" \"User Commands\"\n"
            ".SH NAME\ntrainrig \\- which GPU server to buy for training a network\n"
            ".SH SYNOPSIS\n\\fBtrainrig\\fR \\fIVERB\\fR [\\fIOPTION\\fR]...\n"
            ".SH DESCRIPTION\nFinds the best training machine for a budget among catalogued parts, "
            "predicts the epoch time of given machines stage by stage, and says what each part "
            "must deliver.\nResults go to standard output, everything else to standard error.\n",
            RIG_VERSION_STRING);
    put_verbs(stream);
    put_options(stream);
    put_exit_codes(stream);
    fputs(".SH ENVIRONMENT\n"
          ".TP\n\\fBTRAINRIG_\\fIOPTION\\fR\nvalue of an option, its name in capitals, \\- as _\n"
          ".TP\n\\fBTRAINRIG_DATA\\fR\ndirectory with catalog/ and model/ instead of the shipped "
          "ones\n"
          ".TP\n\\fBSOURCE_DATE_EPOCH\\fR\nseconds since 1970 that stand for today\n"
          ".TP\n\\fBNO_COLOR\\fR, \\fBCLICOLOR_FORCE\\fR\nswitch colour off or on\n"
          ".SH FILES\n"
          ".TP\n\\&./trainrig.conf\nsettings of a directory, lines \"key = value\"\n"
          ".TP\n$XDG_CONFIG_HOME/trainrig/config\nsettings of a user\n"
          ".PP\nThe command line wins over the environment, that over the files.\n",
          stream);
    put_examples(stream);
}
