/* SPDX-License-Identifier: GPL-3.0-or-later
 * The command line by way of argp, with messages that name the nearest option. */
#define _GNU_SOURCE /* argp.h */ /* NOLINT(readability-identifier-naming) */

#include "cli/command_line.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/nearest.h"

#define LONG_KEY 256 /* keys from here on are options without a letter */

static int key_of(cli_id id)
{
    const int key = rig__cli_options[id].key;
    return key != 0 ? key : LONG_KEY + (int)id;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of argp */
static error_t parse_word(int key, char *argument, struct argp_state *state)
{
    cli_input *input = state->input;
    if (key == ARGP_KEY_ARG) {
        input->arguments[input->n_arguments++] = argument;
        return 0;
    }
    const cli_id id = key >= LONG_KEY && key < LONG_KEY + N_OPTIONS ? (cli_id)(key - LONG_KEY)
                                                                    : rig__cli_option_by_key(key);
    if (id == N_OPTIONS) {
        return ARGP_ERR_UNKNOWN;
    }
    const cli_value value = {.text = argument != NULL ? argument : "yes"};
    return rig__cli_put(input, id, LEVEL_FLAG, value) ? 0 : ENOMEM;
}

/* The options of a verb, or all, in the form argp wants. */
static void fill_options(struct argp_option out[N_OPTIONS + 1], cli_verb verb)
{
    size_t n = 0;
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        if (verb == VERB_NONE || (option->verbs & (1u << verb)) != 0) {
            out[n++] =
                (struct argp_option){.name = option->name,
                                     .key = key_of((cli_id)id),
                                     .arg = option->argument[0] != '\0' ? option->argument : NULL};
        }
    }
    out[n] = (struct argp_option){0};
}

/* The command that lists the options of a verb, for messages. */
static const char *help_command(cli_verb verb, char buffer[64])
{
    snprintf(
        buffer, 64, "trainrig %s --help", verb == VERB_NONE ? "VERB" : rig__cli_verbs[verb].name);
    return buffer;
}

/* "unknown option: '--bugdet' (did you mean --budget?)" */
static cli_exit report_unknown(const char *name, size_t length, cli_verb verb)
{
    char command[64];
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
        rig__cli_error("unknown option: '--%.*s' (expected one that '%s' lists)",
                       (int)length,
                       name,
                       help_command(verb, command));
    }
    return CLI_EXIT_USAGE;
}

static cli_exit report_letter(char letter, cli_verb verb)
{
    char command[64];
    rig__cli_error("unknown option: '-%c' (expected one that '%s' lists)",
                   letter,
                   help_command(verb, command));
    return CLI_EXIT_USAGE;
}

/* What a first look at the command line finds; argp itself cannot name the culprit. */
typedef struct cli_scan {
    int argc;
    char **argv;
    int at;
    const char *verb; /**< first argument that is no option */
    cli_verb known;   /**< the verb, VERB_NONE before it is found */
    bool is_strict;   /**< report what is wrong; else only look for the verb */
} cli_scan;

static cli_exit check_applies(const cli_scan *scan, cli_id id)
{
    const cli_option *option = &rig__cli_options[id];
    if (scan->known == VERB_NONE || (option->verbs & (1u << scan->known)) != 0) {
        return CLI_EXIT_OK;
    }
    char verbs[512] = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        if ((option->verbs & (1u << verb)) != 0) {
            rig__cli_append(verbs, sizeof verbs, verbs[0] != '\0' ? ", " : "");
            rig__cli_append(verbs, sizeof verbs, rig__cli_verbs[verb].name);
        }
    }
    rig__cli_error("option does not apply to '%s': '--%s' (an option of %s)",
                   rig__cli_verbs[scan->known].name,
                   option->name,
                   verbs);
    return CLI_EXIT_USAGE;
}

/* The argument of an option is the next word; there must be one. */
static cli_exit skip_argument(cli_scan *scan, cli_id id)
{
    const cli_option *option = &rig__cli_options[id];
    if (++scan->at < scan->argc || !scan->is_strict) {
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
        return scan->is_strict ? report_unknown(name, length, scan->known) : CLI_EXIT_OK;
    }
    CLI_TRY(check_applies(scan, id));
    if (rig__cli_options[id].kind != KIND_FLAG) {
        return name[length] == '=' ? CLI_EXIT_OK : skip_argument(scan, id);
    }
    if (name[length] == '=' && scan->is_strict) {
        rig__cli_error("option takes no value: '--%s'", name);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static cli_exit scan_letters(cli_scan *scan, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        const cli_id id = rig__cli_option_by_key((unsigned char)*letters);
        if (id == N_OPTIONS && !scan->is_strict) {
            continue;
        }
        if (id == N_OPTIONS) {
            return report_letter(*letters, scan->known);
        }
        CLI_TRY(check_applies(scan, id));
        if (rig__cli_options[id].kind != KIND_FLAG) {
            return letters[1] != '\0' ? CLI_EXIT_OK : skip_argument(scan, id);
        }
    }
    return CLI_EXIT_OK;
}

static cli_exit scan_word(cli_scan *scan, const char *word)
{
    if (word[0] != '-' || word[1] == '\0') {
        scan->verb = scan->verb == NULL ? word : scan->verb;
        return CLI_EXIT_OK;
    }
    return word[1] == '-' ? scan_long(scan, word + 2) : scan_letters(scan, word + 1);
}

/* Looks at every word: once to find the verb, once to check the options. */
static cli_exit scan_words(cli_scan *scan)
{
    for (scan->at = 1; scan->at < scan->argc; scan->at++) {
        const char *word = scan->argv[scan->at];
        if (strcmp(word, "--") ==
            0) { /* what follows is no option, the first of it may be the verb */
            const int next = scan->at + 1;
            scan->verb = scan->verb == NULL && next < scan->argc ? scan->argv[next] : scan->verb;
            return CLI_EXIT_OK;
        }
        CLI_TRY(scan_word(scan, word));
    }
    return CLI_EXIT_OK;
}

static cli_exit report_verb(const char *text)
{
    cli_nearest nearest = rig__cli_nearest_start(text, strlen(text));
    char list[512] = "";
    for (int verb = 0; verb < N_VERBS; verb++) {
        rig__cli_nearest_offer(&nearest, rig__cli_verbs[verb].name);
        rig__cli_append(list, sizeof list, verb == 0 ? "" : verb == N_VERBS - 1 ? " or " : ", ");
        rig__cli_append(list, sizeof list, rig__cli_verbs[verb].name);
    }
    rig__cli_error("unknown verb: '%s' (expected %s)", text, list);
    const char *found = rig__cli_nearest_name(&nearest);
    if (found != NULL) {
        rig__cli_error("hint: did you mean %s?", found);
    }
    return CLI_EXIT_USAGE;
}

/* The verb first, since it says which options are known. */
static cli_exit find_verb(int argc, char **argv, cli_verb *out)
{
    cli_scan scan = {.argc = argc, .argv = argv, .known = VERB_NONE};
    CLI_TRY(scan_words(&scan));
    scan.known = scan.verb != NULL ? rig__cli_verb_find(scan.verb) : VERB_NONE;
    scan.is_strict = true;
    CLI_TRY(scan_words(&scan));
    if (scan.verb != NULL && scan.known == VERB_NONE) {
        return report_verb(scan.verb);
    }
    *out = scan.known;
    return CLI_EXIT_OK;
}

cli_exit rig__cli_parse(int argc, char **argv, cli_input *input)
{
    CLI_TRY(find_verb(argc, argv, &input->verb));
    struct argp_option options[N_OPTIONS + 1];
    const struct argp argp = {.options = options, .parser = parse_word};
    input->arguments = calloc((size_t)argc + 1, sizeof *input->arguments);
    error_t error = ENOMEM;
    if (input->arguments != NULL) {
        fill_options(options, input->verb);
        error =
            argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input);
    }
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
