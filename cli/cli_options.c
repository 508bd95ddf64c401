/* SPDX-License-Identifier: GPL-3.0-or-later
 * The option table as arrays, and access to the values given. */
#include "cli/cli_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_output.h"

const cli_verb_info rig__cli_verbs[N_VERBS] = {
#define CLI_VERB_ROW(enumerator, name, arguments, summary) {name, arguments, summary},
    CLI_VERB_MAP(CLI_VERB_ROW)
#undef CLI_VERB_ROW
};

const char *const rig__cli_headings[N_GROUPS] = {
#define CLI_GROUP_ROW(enumerator, heading) heading,
    CLI_GROUP_MAP(CLI_GROUP_ROW)
#undef CLI_GROUP_ROW
};

const cli_option rig__cli_options[N_OPTIONS] = {
#define CLI_OPTION_ROW(                                                                            \
    enumerator, name, key, argument, kind, group, verbs, low, high, choices, fallback, help)       \
    {name, key, argument, KIND_##kind, GROUP_##group, verbs, low, high, choices, fallback, help},
    CLI_OPTION_MAP(CLI_OPTION_ROW)
#undef CLI_OPTION_ROW
};

cli_verb rig__cli_verb_find(const char *name)
{
    int verb = 0;
    while (verb < N_VERBS && strcmp(rig__cli_verbs[verb].name, name) != 0) {
        verb++;
    }
    return (cli_verb)verb;
}

cli_id rig__cli_option_find(const char *name, size_t length)
{
    int id = 0;
    while (id < N_OPTIONS && (strncmp(rig__cli_options[id].name, name, length) != 0 ||
                              rig__cli_options[id].name[length] != '\0')) {
        id++;
    }
    return (cli_id)id;
}

cli_id rig__cli_option_by_key(int key)
{
    int id = 0;
    while (id < N_OPTIONS && (key == 0 || rig__cli_options[id].key != key)) {
        id++;
    }
    return (cli_id)id;
}

bool rig__cli_put(cli_input *input, cli_id id, cli_level level, cli_value value)
{
    cli_setting *setting = &input->settings[id];
    if (level < setting->level) {
        return true;
    }
    if (level > setting->level || rig__cli_options[id].kind != KIND_LIST) {
        setting->count = 0;
    }
    cli_value *items = realloc(setting->items, (setting->count + 1) * sizeof *items);
    if (items == NULL) {
        return false;
    }
    setting->items = items;
    setting->items[setting->count++] = value;
    setting->level = level;
    return true;
}

void rig__cli_input_free(cli_input *input)
{
    for (size_t id = 0; id < N_OPTIONS; id++) {
        free(input->settings[id].items);
    }
    for (size_t i = 0; i < input->n_files; i++) {
        free(input->files[i]);
        free(input->paths[i]);
    }
    free(input->arguments);
}

/* A word of a list separated by '|'. @return its position, -1: none such */
static int find_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int position = 0;
    for (const char *at = choices; length > 0; at = strchr(at, '|') + 1, position++) {
        const size_t size = strcspn(at, "|");
        if (size == length && strncmp(at, word, length) == 0) {
            return position;
        }
        if (at[size] == '\0') {
            break;
        }
    }
    return -1;
}

/* Words of a configuration file that switch a flag. @return 1 on, 0 off, -1 neither */
static int flag_value(const char *text)
{
    if (find_choice("|yes|true|on|1", text) >= 0) {
        return 1;
    }
    return find_choice("no|false|off|0", text) >= 0 ? 0 : -1;
}

bool rig__cli_is_given(const cli_input *input, cli_id id)
{
    const cli_setting *setting = &input->settings[id];
    if (setting->count == 0) {
        return false;
    }
    return rig__cli_options[id].kind != KIND_FLAG || flag_value(setting->items[0].text) == 1;
}

size_t rig__cli_count(const cli_input *input, cli_id id)
{
    return input->settings[id].count;
}

const char *rig__cli_item(const cli_input *input, cli_id id, size_t index)
{
    return input->settings[id].items[index].text;
}

const char *rig__cli_text(const cli_input *input, cli_id id)
{
    const cli_setting *setting = &input->settings[id];
    if (setting->count > 0) {
        return setting->items[setting->count - 1].text;
    }
    const char *fallback = rig__cli_options[id].fallback;
    return fallback[0] != '\0' ? fallback : NULL;
}

static rig_quantity quantity_of(cli_kind kind)
{
    switch (kind) {
    case KIND_COUNT:
        return RIG_QUANTITY_COUNT;
    case KIND_MONEY:
        return RIG_QUANTITY_MONEY;
    case KIND_TIME:
        return RIG_QUANTITY_TIME;
    case KIND_CAPACITY:
        return RIG_QUANTITY_CAPACITY;
    case KIND_RATE:
        return RIG_QUANTITY_RATE;
    case KIND_FRACTION:
        return RIG_QUANTITY_FRACTION;
    default:
        return RIG_QUANTITY_NUMBER;
    }
}

double rig__cli_number(const cli_input *input, cli_id id, double fallback)
{
    double value = fallback;
    if (input->settings[id].count > 0 && rig_quantity_parse(rig__cli_text(input, id),
                                                            quantity_of(rig__cli_options[id].kind),
                                                            &value,
                                                            NULL) != RIG_OK) {
        return fallback;
    }
    return value;
}

int rig__cli_choice(const cli_input *input, cli_id id)
{
    const char *text = rig__cli_text(input, id);
    return text == NULL ? -1 : find_choice(rig__cli_options[id].choices, text);
}

char *rig__cli_where(const cli_input *input, cli_id id, size_t index, char where[CLI_WHERE_SIZE])
{
    const cli_setting *setting = &input->settings[id];
    const char *name = rig__cli_options[id].name;
    if (setting->level == LEVEL_ENVIRONMENT) {
        snprintf(where, CLI_WHERE_SIZE, "TRAINRIG_%s", name);
        for (char *c = where; *c != '\0'; c++) {
            *c = (char)(*c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        }
    } else if (setting->level == LEVEL_FLAG || index >= setting->count) {
        snprintf(where, CLI_WHERE_SIZE, "--%s", name);
    } else {
        const cli_value *value = &setting->items[index];
        if (value->column > 0) {
            snprintf(where,
                     CLI_WHERE_SIZE,
                     "%s:%ld:%ld: %s",
                     value->file,
                     value->line,
                     value->column,
                     name);
        } else {
            snprintf(where, CLI_WHERE_SIZE, "%s:%ld: %s", value->file, value->line, name);
        }
    }
    return where;
}

cli_exit rig__cli_blame(const cli_input *input, cli_id id)
{
    const cli_level level = input->settings[id].level;
    return level == LEVEL_USER_FILE || level == LEVEL_LOCAL_FILE || level == LEVEL_CELL
               ? CLI_EXIT_INPUT
               : CLI_EXIT_USAGE;
}

/* Whole run of decimal digits as a number. @return false: not such */
static bool read_digits(const char *text, size_t length, int *out)
{
    int value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = value * 10 + (text[i] - '0');
    }
    *out = value;
    return true;
}

bool rig__cli_date_parse(const char *text, int *out)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const size_t length = strlen(text);
    int year = 0, month = 0, day = 0;
    if ((length != 4 && length != 7 && length != 10) || !read_digits(text, 4, &year)) {
        return false;
    }
    if (length >= 7 &&
        (text[4] != '-' || !read_digits(text + 5, 2, &month) || month < 1 || month > 12)) {
        return false;
    }
    if (length == 10) {
        if (text[7] != '-' || !read_digits(text + 8, 2, &day)) {
            return false;
        }
        const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        if (day < 1 || day > days[month - 1] + (month == 2 && is_leap ? 1 : 0)) {
            return false;
        }
    }
    *out = year * 10000 + month * 100 + day;
    return true;
}

/* Prints that a number lies outside the range of its option. */
static void print_range(const char *where, const cli_option *option, const char *text, double value)
{
    if (option->low > 0 && value <= 0) {
        rig__cli_error("%s: value out of range: '%s' (expected more than 0)", where, text);
    } else {
        rig__cli_error("%s: value out of range: '%s' (expected %.12g to %.12g)",
                       where,
                       text,
                       option->low,
                       option->high);
    }
}

/* Is the text a value of the option? Prints what is wrong with it. */
static bool check_value(const cli_option *option, const char *text, const char *where)
{
    rig_error err = {0};
    double value = 0;
    int date = 0;
    switch (option->kind) {
    case KIND_FLAG:
        if (flag_value(text) < 0) {
            rig__cli_error("%s: not a switch: '%s' (expected yes or no)", where, text);
            return false;
        }
        return true;
    case KIND_CHOICE:
        if (find_choice(option->choices, text) < 0) {
            rig__cli_error("%s: unknown value: '%s' (expected %s)", where, text, option->choices);
            return false;
        }
        return true;
    case KIND_DATE:
        if (!rig__cli_date_parse(text, &date)) {
            rig__cli_error(
                "%s: not a date: '%s' (expected YYYY, YYYY-MM or YYYY-MM-DD)", where, text);
            return false;
        }
        return true;
    case KIND_TEXT:
    case KIND_LIST:
    case KIND_FILE:
        if (text[0] == '\0') {
            rig__cli_error("%s: empty value: '' (expected %s)", where, option->argument);
            return false;
        }
        return true;
    default:
        break;
    }
    if (rig_quantity_parse(text, quantity_of(option->kind), &value, &err) != RIG_OK) {
        rig__cli_error("%s: %s", where, err.message);
        rig__cli_hint(err.hint);
        return false;
    }
    if (!isfinite(value) || value < option->low || value > option->high) {
        print_range(where, option, text, value);
        return false;
    }
    return true;
}

bool rig__cli_split_range(const char *text, char from[CLI_RANGE_SIZE], char to[CLI_RANGE_SIZE])
{
    const char *dots = strstr(text, "..");
    if (dots == NULL || dots - text >= CLI_RANGE_SIZE || strlen(dots + 2) >= CLI_RANGE_SIZE) {
        return false;
    }
    memcpy(from, text, (size_t)(dots - text));
    from[dots - text] = '\0';
    strcpy(to, dots + 2);
    return true;
}

/* The budget of frontier may be a range: both ends are checked as amounts. */
static bool check_text(const cli_input *input, cli_id id, const char *text, const char *where)
{
    char from[CLI_RANGE_SIZE], to[CLI_RANGE_SIZE];
    const cli_option *option = &rig__cli_options[id];
    if (id == OPT_BUDGET && input->verb == VERB_FRONTIER && rig__cli_split_range(text, from, to)) {
        return check_value(option, from, where) && check_value(option, to, where);
    }
    return check_value(option, text, where);
}

cli_exit rig__cli_validate(const cli_input *input)
{
    char where[CLI_WHERE_SIZE];
    for (int id = 0; id < N_OPTIONS; id++) {
        const cli_option *option = &rig__cli_options[id];
        if ((option->verbs & (1u << input->verb)) == 0) {
            continue;
        }
        const cli_setting *setting = &input->settings[id];
        for (size_t i = 0; i < setting->count; i++) {
            rig__cli_where(input, (cli_id)id, i, where);
            if (!check_text(input, (cli_id)id, setting->items[i].text, where)) {
                return rig__cli_blame(input, (cli_id)id);
            }
        }
    }
    return CLI_EXIT_OK;
}
