/* SPDX-License-Identifier: GPL-3.0-or-later
 * The command line by way of argp, with messages that name the nearest option. */
#define _GNU_SOURCE /* argp.h */

#include "cli/command_line.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/nearest.h"

#define LONG_KEY 256 /* keys from here on are options without a letter */

/* The options of one verb in the form argp wants: one child parser per group. */
typedef struct cli_argp {
    struct argp_option options[N_GROUPS][N_OPTIONS + 1];
    struct argp groups[N_GROUPS];
    struct argp_child children[N_GROUPS + 1];
    struct argp root;
} cli_argp;

static int key_of(cli_id id)
{
    const int key = rig__cli_options[id].key;
    return key != 0 ? key : LONG_KEY + (int)id;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    const cli_id id = key >= LONG_KEY && key < LONG_KEY + N_OPTIONS ? (cli_id)(key - LONG_KEY)
                                                                    : rig__cli_option_by_key(key);
    if (id == N_OPTIONS) {
        return ARGP_ERR_UNKNOWN;
    }
    const cli_value value = {.text = argument != NULL ? argument : "yes"};
    return rig__cli_put(state->input, id, LEVEL_FLAG, value) ? 0 : ENOMEM;
}

static error_t parse_root(int key, char *argument, struct argp_state *state)
{
    cli_input *input = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        for (size_t i = 0; state->root_argp->children[i].argp != NULL; i++) {
            state->child_inputs[i] = input;
        }
        return 0;
    case ARGP_KEY_ARG:
        input->arguments[input->n_arguments++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Help text with its choices and default. @return owned text, NULL: out of memory */
static char *help_text(const cli_option *option)
{
    const size_t size = strlen(option->help) + strlen(option->choices) + strlen(option->fallback) +
                        sizeof ": \n (default )";
    char *text = malloc(size);
    if (text == NULL) {
        return NULL;
    }
    strcpy(text, option->help);
    if (option->choices[0] != '\0') {
        strcat(strcat(text, ": "), option->choices);
    }
    if (option->fallback[0] != '\0') {
        strcat(strcat(strcat(text, " (default "), option->fallback), ")");
    }
    return text;
}

/* Fills the tables of argp from the option table. @return false: out of memory */
static bool fill_argp(cli_argp *out, cli_verb verb)
{
    size_t counts[N_GROUPS] = {0}, n_children = 0;
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        if (verb != VERB_NONE && (option->verbs & (1u << verb)) == 0) {
            continue;
        }
        char *help = help_text(option);
        if (help == NULL) {
            return false;
        }
        out->options[option->group][counts[option->group]++] =
            (struct argp_option){.name = option->name,
                                 .key = key_of((cli_id)id),
                                 .arg = option->argument[0] != '\0' ? option->argument : NULL,
                                 .doc = help};
    }
    for (int group = 0; group < N_GROUPS; group++) {
        if (counts[group] > 0) {
            out->groups[group] =
                (struct argp){.options = out->options[group], .parser = parse_option};
            out->children[n_children++] = (struct argp_child){.argp = &out->groups[group],
                                                              .header = rig__cli_headings[group],
                                                              .group = group + 1};
        }
    }
    out->root = (struct argp){.parser = parse_root, .children = out->children};
    return true;
}

static void free_argp(cli_argp *tables)
{
    if (tables == NULL) {
        return;
    }
    for (int group = 0; group < N_GROUPS; group++) {
        for (const struct argp_option *option = tables->options[group]; option->name != NULL;
             option++) {
            union {
                const char *text;
                char *owned;
            } help = {.text = option->doc};
            free(help.owned);
        }
    }
    free(tables);
}

void rig__cli_print_options(FILE *stream, cli_verb verb)
{
    static char program[] = "trainrig";
    cli_argp *tables = calloc(1, sizeof *tables);
    if (tables != NULL && fill_argp(tables, verb)) {
        argp_help(&tables->root, stream, ARGP_HELP_LONG, program);
    }
    free_argp(tables);
}

/* "unknown option: '--bugdet' (did you mean --budget?)" */
static cli_exit report_unknown(const char *name, size_t length, cli_verb verb)
{
    cli_nearest nearest = rig__cli_nearest_start(name, length);
    for (int id = 0; id < N_OPTIONS; id++) {
        if (verb == VERB_NONE || (rig__cli_options[id].verbs & (1u << verb)) != 0) {
            rig__cli_nearest_offer(&nearest, rig__cli_options[id].name);
        }
    }
    const char *found = rig__cli_nearest_name(&nearest);
    if (found != NULL) {
        rig__cli_error("unknown option: '--%.*s' (did you mean --%s?)", (int)length, name, found);
    } else {
        rig__cli_error("unknown option: '--%.*s' (expected one that 'trainrig %s%s--help' lists)",
                       (int)length,
                       name,
                       verb == VERB_NONE ? "" : rig__cli_verbs[verb].name,
                       verb == VERB_NONE ? "" : " ");
    }
    return CLI_EXIT_USAGE;
}

/* What a first look at the command line finds; argp itself cannot name the culprit. */
typedef struct cli_scan {
    int argc;
    char **argv;
    int at;
    const char *verb; /**< first argument that is no option */
    cli_verb known;   /**< the verb, VERB_NONE before it is found */
} cli_scan;

static cli_exit check_applies(const cli_scan *scan, cli_id id)
{
    const cli_option *option = &rig__cli_options[id];
    if (scan->known == VERB_NONE || (option->verbs & (1u << scan->known)) != 0) {
        return CLI_EXIT_OK;
    }
    char verbs[128] = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        if ((option->verbs & (1u << verb)) != 0) {
            strcat(strcat(verbs, verbs[0] != '\0' ? ", " : ""), rig__cli_verbs[verb].name);
        }
    }
    rig__cli_error("option does not apply to '%s': '--%s' (it is one of: %s)",
                   rig__cli_verbs[scan->known].name,
                   option->name,
                   verbs);
    return CLI_EXIT_USAGE;
}

/* The argument of an option is the next word; there must be one. */
static cli_exit skip_argument(cli_scan *scan, cli_id id)
{
    const cli_option *option = &rig__cli_options[id];
    if (++scan->at < scan->argc) {
        return CLI_EXIT_OK;
    }
    rig__cli_error("option needs a value: '--%s' (expected %s)", option->name, option->argument);
    return CLI_EXIT_USAGE;
}

static cli_exit scan_long(cli_scan *scan, const char *name)
{
    const size_t length = strcspn(name, "=");
    const cli_id id = rig__cli_option_find(name, length);
    if (id == N_OPTIONS) {
        return report_unknown(name, length, scan->known);
    }
    CLI_TRY(check_applies(scan, id));
    if (rig__cli_options[id].kind != KIND_FLAG) {
        return name[length] == '=' ? CLI_EXIT_OK : skip_argument(scan, id);
    }
    if (name[length] == '=') {
        rig__cli_error("option takes no value: '--%s'", name);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static cli_exit scan_letters(cli_scan *scan, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        const cli_id id = rig__cli_option_by_key((unsigned char)*letters);
        if (id == N_OPTIONS) {
            rig__cli_error("unknown option: '-%c' (expected one that 'trainrig --help' lists)",
                           *letters);
            return CLI_EXIT_USAGE;
        }
        CLI_TRY(check_applies(scan, id));
        if (rig__cli_options[id].kind != KIND_FLAG) {
            return letters[1] != '\0' ? CLI_EXIT_OK : skip_argument(scan, id);
        }
    }
    return CLI_EXIT_OK;
}

/* Looks at every word. Once with known = VERB_NONE to find the verb, once to check the options. */
static cli_exit scan_words(cli_scan *scan)
{
    bool is_ended = false;
    for (scan->at = 1; scan->at < scan->argc; scan->at++) {
        const char *word = scan->argv[scan->at];
        if (is_ended || word[0] != '-' || word[1] == '\0') {
            scan->verb = scan->verb == NULL ? word : scan->verb;
        } else if (strcmp(word, "--") == 0) {
            is_ended = true;
        } else if (word[1] == '-') {
            CLI_TRY(scan_long(scan, word + 2));
        } else {
            CLI_TRY(scan_letters(scan, word + 1));
        }
    }
    return CLI_EXIT_OK;
}

static cli_exit report_verb(const char *text)
{
    cli_nearest nearest = rig__cli_nearest_start(text, strlen(text));
    char list[128] = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        rig__cli_nearest_offer(&nearest, rig__cli_verbs[verb].name);
        strcat(list, verb == 0 ? "" : verb == N_VERBS - 1 ? " or " : ", ");
        strcat(list, rig__cli_verbs[verb].name);
    }
    rig__cli_error("unknown verb: '%s' (expected %s)", text, list);
    const char *found = rig__cli_nearest_name(&nearest);
    if (found != NULL) {
        rig__cli_error("hint: did you mean %s?", found);
    }
    return CLI_EXIT_USAGE;
}

/* Word by word: the verb first, since it says which options are known. */
static cli_exit find_verb(int argc, char **argv, cli_verb *out)
{
    cli_scan scan = {.argc = argc, .argv = argv, .known = VERB_NONE};
    const cli_exit first = scan_words(&scan);
    if (scan.verb != NULL) {
        scan.known = rig__cli_verb_find(scan.verb);
        if (scan.known == VERB_NONE) {
            return first != CLI_EXIT_OK ? first : report_verb(scan.verb);
        }
    }
    CLI_TRY(first);
    *out = scan.known;
    return scan_words(&scan);
}

cli_exit rig__cli_parse(int argc, char **argv, cli_input *input)
{
    CLI_TRY(find_verb(argc, argv, &input->verb));
    cli_argp *tables = calloc(1, sizeof *tables);
    input->arguments = calloc((size_t)argc + 1, sizeof *input->arguments);
    error_t error = ENOMEM;
    if (tables != NULL && input->arguments != NULL && fill_argp(tables, input->verb)) {
        error = argp_parse(
            &tables->root, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input);
    }
    free_argp(tables);
    if (error == ENOMEM) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    if (error != 0) {
        rig__cli_error("the command line cannot be read (see 'trainrig --help')");
        return CLI_EXIT_USAGE;
    }
    if (input->n_arguments > 0) { /* the verb itself */
        input->n_arguments--;
        memmove(input->arguments, input->arguments + 1, input->n_arguments * sizeof(char *));
    }
    return CLI_EXIT_OK;
}
