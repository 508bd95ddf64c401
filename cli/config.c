/* SPDX-License-Identifier: GPL-3.0-or-later
 * Configuration: flag > environment > ./trainrig.conf > user's file > built in. */
#include "cli/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"
#include "cli/nearest.h"

#define MAX_FILE_BYTES ((size_t)1024 * 1024)
#define PREFIX "TRAINRIG_"

extern char **environ;

/* Options that only make sense on a command line. */
static bool is_configurable(cli_id id)
{
    return id != OPT_HELP && id != OPT_VERSION && id != OPT_MAN;
}

static cli_id find_key(const char *name)
{
    const cli_id id = rig__cli_option_find(name, strlen(name));
    return id < N_OPTIONS && is_configurable(id) ? id : N_OPTIONS;
}

static const char *nearest_key(const char *name)
{
    cli_nearest nearest = rig__cli_nearest_start(name, strlen(name));
    for (int id = 0; id < N_OPTIONS; id++) {
        if (is_configurable((cli_id)id)) {
            rig__cli_nearest_offer(&nearest, rig__cli_options[id].name);
        }
    }
    return rig__cli_nearest_name(&nearest);
}

static cli_exit report_key(const char *where, const char *name)
{
    const char *found = nearest_key(name);
    if (found != NULL) {
        rig__cli_error("%s: unknown key: '%s' (did you mean %s?)", where, name, found);
    } else {
        rig__cli_error("%s: unknown key: '%s' (expected the name of an option)", where, name);
    }
    return CLI_EXIT_INPUT;
}

static cli_exit out_of_memory(void)
{
    rig__cli_error("out of memory");
    return CLI_EXIT_INTERNAL;
}

static char *trim(char *text)
{
    while (*text == ' ' || *text == '\t') {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    return text;
}

/* One line "key = value" of a file; empty lines and lines that start with '#' say nothing. */
static cli_exit
read_line(cli_input *input, cli_level level, const char *path, long line, char *text)
{
    char where[CLI_WHERE_SIZE];
    char *key = trim(text);
    if (key[0] == '\0' || key[0] == '#') {
        return CLI_EXIT_OK;
    }
    snprintf(where, sizeof where, "%s:%ld:%ld", path, line, (long)(key - text) + 1);
    char *equals = strchr(key, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    key = trim(key);
    const cli_id id = find_key(key);
    if (id == N_OPTIONS) {
        return report_key(where, key);
    }
    if (equals == NULL) {
        rig__cli_error("%s: no value: '%s' (expected key = value)", where, key);
        return CLI_EXIT_INPUT;
    }
    const cli_setting *setting = &input->settings[id];
    if (setting->level == level && setting->count > 0 && rig__cli_options[id].kind != KIND_LIST) {
        rig__cli_error(
            "%s: key given twice: '%s' (first on line %ld)", where, key, setting->items[0].line);
        return CLI_EXIT_INPUT;
    }
    const cli_value value = {.text = trim(equals + 1), .file = path, .line = line};
    return rig__cli_put(input, id, level, value) ? CLI_EXIT_OK : out_of_memory();
}

/* Whole file as text. @return NULL: not there (errno ENOENT) or unreadable */
static char *read_text(const char *path, size_t *length_out)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return NULL;
    }
    char *text = malloc(MAX_FILE_BYTES + 1);
    size_t length = 0;
    if (text != NULL) {
        length = fread(text, 1, MAX_FILE_BYTES, stream);
        text[length] = '\0';
    }
    if (text != NULL && ferror(stream)) {
        free(text);
        text = NULL;
    }
    const int error = errno;
    fclose(stream);
    errno = error;
    *length_out = length;
    return text;
}

static cli_exit read_file(cli_input *input, cli_level level, char *path)
{
    size_t length = 0;
    char *text = read_text(path, &length);
    if (text == NULL) {
        const bool is_absent = errno == ENOENT || errno == ENOTDIR;
        if (!is_absent) {
            rig__cli_error("%s: cannot be read: %s", path, strerror(errno));
        }
        free(path);
        return is_absent ? CLI_EXIT_OK : CLI_EXIT_FILE;
    }
    input->files[input->n_files] = text;
    input->paths[input->n_files++] = path;
    if (length == MAX_FILE_BYTES || strlen(text) != length) {
        rig__cli_error("%s: not a configuration file (expected text of less than 1 MiB)", path);
        return CLI_EXIT_INPUT;
    }
    long line = 1;
    for (char *at = text; at != NULL; line++) {
        char *end = strchr(at, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        CLI_TRY(read_line(input, level, path, line, at));
        at = end;
    }
    return CLI_EXIT_OK;
}

static char *join(const char *directory, const char *rest)
{
    char *path = malloc(strlen(directory) + strlen(rest) + 1);
    if (path != NULL) {
        strcat(strcpy(path, directory), rest);
    }
    return path;
}

static cli_exit read_user_file(cli_input *input)
{
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    char *path = NULL;
    if (base != NULL && base[0] == '/') { /* relative ones are to be ignored, says the standard */
        path = join(base, "/trainrig/config");
    } else if (home != NULL && home[0] != '\0') {
        path = join(home, "/.config/trainrig/config");
    } else {
        return CLI_EXIT_OK;
    }
    return path == NULL ? out_of_memory() : read_file(input, LEVEL_USER_FILE, path);
}

/* One variable "TRAINRIG_PRICE_AFTER=2025" as the option price-after. */
static cli_exit read_variable(cli_input *input, const char *variable)
{
    char name[64], where[CLI_WHERE_SIZE];
    const char *equals = strchr(variable, '=');
    if (equals == NULL || strncmp(variable, PREFIX, strlen(PREFIX)) != 0) {
        return CLI_EXIT_OK;
    }
    const size_t length = (size_t)(equals - variable);
    snprintf(where, sizeof where, "%.*s", (int)(length < 100 ? length : 100), variable);
    if (strcmp(where, PREFIX "DATA") == 0) { /* the data directory is no option */
        return CLI_EXIT_OK;
    }
    snprintf(name, sizeof name, "%.63s", where + strlen(PREFIX));
    for (char *c = name; *c != '\0'; c++) {
        *c = (char)(*c == '_' ? '-' : *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
    const cli_id id = find_key(name);
    if (id == N_OPTIONS) {
        report_key(where, name);
        return CLI_EXIT_USAGE;
    }
    if (equals[1] == '\0') { /* set but empty: as if it were not there */
        return CLI_EXIT_OK;
    }
    const cli_value value = {.text = equals + 1};
    return rig__cli_put(input, id, LEVEL_ENVIRONMENT, value) ? CLI_EXIT_OK : out_of_memory();
}

cli_exit rig__cli_config_load(cli_input *input)
{
    CLI_TRY(read_user_file(input));
    char *local = join("", "trainrig.conf");
    if (local == NULL) {
        return out_of_memory();
    }
    CLI_TRY(read_file(input, LEVEL_LOCAL_FILE, local));
    for (char **variable = environ; *variable != NULL; variable++) {
        CLI_TRY(read_variable(input, *variable));
    }
    return CLI_EXIT_OK;
}

void rig__cli_config_print(const cli_input *input)
{
    char where[CLI_WHERE_SIZE];
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        if ((option->verbs & (1u << input->verb)) == 0) {
            continue;
        }
        const size_t count = rig__cli_count(input, (cli_id)id);
        for (size_t i = 0; i < count; i++) {
            const cli_value *value = &input->settings[id].items[i];
            if (value->file != NULL) {
                snprintf(where, sizeof where, "%s:%ld", value->file, value->line);
            } else {
                rig__cli_where(input, (cli_id)id, i, where);
            }
            rig__cli_note(
                "%s = %s (from %s)", option->name, rig__cli_item(input, (cli_id)id, i), where);
        }
        if (count == 0 && option->fallback[0] != '\0') {
            rig__cli_note("%s = %s (built in)", option->name, option->fallback);
        }
    }
}
