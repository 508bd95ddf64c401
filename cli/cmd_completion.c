/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb completion: scripts for bash, zsh and fish, made from the option table. */
#include <string.h>

#include "cli/commands.h"

static bool applies(int id, int verb)
{
    return (rig__cli_options[id].verbs & (1u << verb)) != 0;
}

static void put_verb_names(FILE *stream)
{
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "%s%s", verb > 0 ? " " : "", rig__cli_verbs[verb].name);
    }
}

/* Choices with blanks between them. */
static void put_choices(FILE *stream, const char *choices)
{
    for (const char *c = choices; *c != '\0'; c++) {
        fputc(*c == '|' ? ' ' : *c, stream);
    }
}

/* What may follow a verb that is no option. */
static const char *arguments_of(int verb)
{
    switch (verb) {
    case VERB_CATALOG:
        return "list show check";
    case VERB_HELP:
        return "exit-codes catalog-schema units conditions config";
    case VERB_COMPLETION:
        return "bash zsh fish";
    default:
        return "";
    }
}

static void put_bash(FILE *stream)
{
    fputs("# bash completion of trainrig; source it\n"
          "_trainrig() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb='' "
          "item words=''\n"
          "  COMPREPLY=()\n"
          "  for item in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
          "    case $item in\n      ",
          stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "%s%s", verb > 0 ? "|" : "", rig__cli_verbs[verb].name);
    }
    fputs(") verb=$item; break ;;\n    esac\n  done\n  case $previous in\n", stream);
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        if (option->kind == KIND_CHOICE) {
            fprintf(stream, "    --%s) words='", option->name);
            put_choices(stream, option->choices);
            fputs("' ;;\n", stream);
        } else if (option->kind == KIND_FILE || id == OPT_CATALOG) {
            fprintf(stream,
                    "    --%s) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n",
                    option->name);
        } else if (option->kind != KIND_FLAG) {
            fprintf(stream, "    --%s) return ;;\n", option->name);
        }
    }
    fputs("  esac\n  [ -n \"$words\" ] || case $verb in\n", stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "    %s) words='%s", rig__cli_verbs[verb].name, arguments_of(verb));
        for (int id = 0; id < N_OPTIONS; id++) {
            if (applies(id, verb)) {
                fprintf(stream, " --%s", rig__cli_options[id].name);
            }
        }
        fputs("' ;;\n", stream);
    }
    fputs("    *) words='", stream);
    put_verb_names(stream);
    fputs(" --help --version' ;;\n  esac\n"
          "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "  if [ ${#COMPREPLY[@]} -eq 0 ] && [[ $word != -* ]]; then\n"
          "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n  fi\n"
          "}\ncomplete -o filenames -F _trainrig trainrig\n",
          stream);
}

/* Text within single quotes of a shell; brackets and colons mean something to zsh. */
static void put_quoted(FILE *stream, const char *text, bool is_zsh)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs(is_zsh ? "'\\''" : "\\'", stream);
        } else if (is_zsh && strchr("[]:\\", *c) != NULL) {
            fprintf(stream, "\\%c", *c);
        } else if (!is_zsh && *c == '\\') {
            fputs("\\\\", stream);
        } else {
            fputc(*c, stream);
        }
    }
}

static void put_zsh_option(FILE *stream, const cli_option *option)
{
    fprintf(stream, " \\\n        '%s--%s", option->kind == KIND_LIST ? "*" : "", option->name);
    fputs(option->kind == KIND_FLAG ? "[" : "=[", stream);
    put_quoted(stream, option->help, true);
    fputs("]", stream);
    if (option->kind == KIND_CHOICE) {
        fputs(":value:(", stream);
        put_choices(stream, option->choices);
        fputs(")", stream);
    } else if (option->kind == KIND_FILE) {
        fputs(":file:_files", stream);
    } else if (option->kind != KIND_FLAG) {
        fputs(":", stream);
        put_quoted(stream, option->argument, true);
        fputs(":", stream);
    }
    fputs("'", stream);
}

static void put_zsh(FILE *stream)
{
    fputs("#compdef trainrig\n"
          "# zsh completion of trainrig; save it as _trainrig in a directory of $fpath\n"
          "_trainrig() {\n  local -a verbs\n  verbs=(\n",
          stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "    '%s:", rig__cli_verbs[verb].name);
        put_quoted(stream, rig__cli_verbs[verb].summary, true);
        fputs("'\n", stream);
    }
    fputs("  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
          "  case $words[2] in\n",
          stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream, "    %s)\n      _arguments", rig__cli_verbs[verb].name);
        for (int id = 0; id < N_OPTIONS; id++) {
            if (applies(id, verb)) {
                put_zsh_option(stream, &rig__cli_options[id]);
            }
        }
        if (arguments_of(verb)[0] != '\0') {
            fprintf(stream, " \\\n        '2:what:(%s)'", arguments_of(verb));
        }
        fputs(" \\\n        '*:file:_files' ;;\n", stream);
    }
    fputs("  esac\n}\n_trainrig \"$@\"\n", stream);
}

static void put_fish_option(FILE *stream, const cli_option *option)
{
    fputs("complete -c trainrig -n '__fish_seen_subcommand_from", stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        if ((option->verbs & (1u << verb)) != 0) {
            fprintf(stream, " %s", rig__cli_verbs[verb].name);
        }
    }
    fprintf(stream, "' -l %s", option->name);
    if (option->key != 0) {
        fprintf(stream, " -s %c", option->key);
    }
    if (option->kind == KIND_CHOICE) {
        fputs(" -x -a '", stream);
        put_choices(stream, option->choices);
        fputs("'", stream);
    } else if (option->kind != KIND_FLAG) {
        fputs(option->kind == KIND_FILE ? " -r -F" : " -x", stream);
    }
    fputs(" -d '", stream);
    put_quoted(stream, option->help, false);
    fputs("'\n", stream);
}

static void put_fish(FILE *stream)
{
    fputs("# fish completion of trainrig\nset -l verbs ", stream);
    put_verb_names(stream);
    fputs("\n", stream);
    for (int verb = 0; verb < N_VERBS; verb++) {
        fprintf(stream,
                "complete -c trainrig -f -n \"not __fish_seen_subcommand_from $verbs\" -a %s -d '",
                rig__cli_verbs[verb].name);
        put_quoted(stream, rig__cli_verbs[verb].summary, false);
        fputs("'\n", stream);
        if (arguments_of(verb)[0] != '\0') {
            fprintf(stream,
                    "complete -c trainrig -n '__fish_seen_subcommand_from %s' -a '%s'\n",
                    rig__cli_verbs[verb].name,
                    arguments_of(verb));
        }
    }
    for (int id = 0; id < N_OPTIONS; id++) {
        put_fish_option(stream, &rig__cli_options[id]);
    }
}

cli_exit rig__cli_completion(const cli_input *input)
{
    static const struct {
        const char *name;
        void (*put)(FILE *stream);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    const size_t n_shells = sizeof shells / sizeof shells[0];
    cli_output output;
    size_t i = 0;
    if (input->n_arguments != 1) {
        rig__cli_error("completion takes one shell, as in: trainrig completion bash");
        return CLI_EXIT_USAGE;
    }
    while (i < n_shells && strcmp(shells[i].name, input->arguments[0]) != 0) {
        i++;
    }
    if (i == n_shells) {
        rig__cli_error("unknown shell: '%s' (expected bash, zsh or fish)", input->arguments[0]);
        return CLI_EXIT_USAGE;
    }
    CLI_TRY(rig__cli_output_open(&output, input));
    shells[i].put(output.stream);
    return rig__cli_output_close(&output, true);
}
