/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options as data: the table, and the values given by flags, environment and files. */
#ifndef RIG_CLI_CLI_OPTIONS_H
#define RIG_CLI_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option_table.h"
#include "trainrig/units.h"

typedef enum cli_verb {
#define CLI_VERB_ENUM(enumerator, name, arguments, summary) VERB_##enumerator,
    CLI_VERB_MAP(CLI_VERB_ENUM)
#undef CLI_VERB_ENUM
        N_VERBS,
    VERB_NONE = N_VERBS
} cli_verb;

typedef enum cli_group {
#define CLI_GROUP_ENUM(enumerator, heading) GROUP_##enumerator,
    CLI_GROUP_MAP(CLI_GROUP_ENUM)
#undef CLI_GROUP_ENUM
        N_GROUPS
} cli_group;

typedef enum cli_id {
#define CLI_OPTION_ENUM(enumerator, ...) OPT_##enumerator,
    CLI_OPTION_MAP(CLI_OPTION_ENUM)
#undef CLI_OPTION_ENUM
        N_OPTIONS
} cli_id;

/** Exit codes of the program. */
typedef enum cli_exit {
#define CLI_EXIT_ENUM(enumerator, value, text) CLI_EXIT_##enumerator = (value),
    CLI_EXIT_MAP(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

/** How the argument of an option is read. */
typedef enum cli_kind {
    KIND_FLAG,
    KIND_TEXT,
    KIND_LIST,   /**< text, may be given more than once */
    KIND_FILE,   /**< text, completed as a file name */
    KIND_DATE,   /**< YYYY, YYYY-MM or YYYY-MM-DD */
    KIND_CHOICE, /**< one of the words in choices */
    KIND_NUMBER, /**< this and the rest: a number in the unit of rig_quantity */
    KIND_COUNT,
    KIND_MONEY,
    KIND_TIME,
    KIND_CAPACITY,
    KIND_RATE,
    KIND_FRACTION
} cli_kind;

typedef struct cli_verb_info {
    const char *name, *arguments, *summary;
} cli_verb_info;

typedef struct cli_option {
    const char *name;
    int key;              /**< letter of the short form, 0: none */
    const char *argument; /**< empty for flags */
    cli_kind kind;
    cli_group group;
    unsigned verbs;
    double low, high;
    const char *choices;  /**< words separated by '|', empty: free */
    const char *fallback; /**< default, empty: none or set elsewhere */
    const char *help;
} cli_option;

extern const cli_verb_info rig__cli_verbs[N_VERBS];
extern const cli_option rig__cli_options[N_OPTIONS];
extern const char *const rig__cli_headings[N_GROUPS];

/** Where a value comes from, weakest first. */
typedef enum cli_level {
    LEVEL_BUILT_IN,
    LEVEL_USER_FILE,
    LEVEL_LOCAL_FILE,
    LEVEL_ENVIRONMENT,
    LEVEL_FLAG,
    LEVEL_CELL /**< of a scenario, see cli/scenario.h */
} cli_level;

typedef struct cli_value {
    const char *text;  /**< borrowed: argv, environment or the text of a file */
    const char *file;  /**< NULL unless the level is a file */
    long line, column; /**< column 0: of the whole line */
} cli_value;

/** Values of one option, all of one level: a stronger level replaces a weaker one. */
typedef struct cli_setting {
    cli_level level;
    cli_value *items;
    size_t count;
} cli_setting;

#define CLI_MAX_FILES 2

/** Everything the user said. */
typedef struct cli_input {
    cli_verb verb;
    cli_setting settings[N_OPTIONS];
    const char **arguments; /**< after the verb */
    size_t n_arguments;
    char *files[CLI_MAX_FILES]; /**< texts of the configuration files, owned */
    char *paths[CLI_MAX_FILES]; /**< their names, owned */
    size_t n_files;
} cli_input;

/** Index of a verb or option by its exact name; N_VERBS or N_OPTIONS: none. */
cli_verb rig__cli_verb_find(const char *name);
cli_id rig__cli_option_find(const char *name, size_t length);
cli_id rig__cli_option_by_key(int key);

/** Adds a value unless a stronger level has spoken. @return false: out of memory */
bool rig__cli_put(cli_input *input, cli_id id, cli_level level, cli_value value);
void rig__cli_input_free(cli_input *input);

bool rig__cli_is_given(const cli_input *input, cli_id id); /**< for flags: and not "no" */
size_t rig__cli_count(const cli_input *input, cli_id id);
/** Value as text, the last one unless it is a list; the default, or NULL, if none was given. */
const char *rig__cli_text(const cli_input *input, cli_id id);
const char *rig__cli_item(const cli_input *input, cli_id id, size_t index);
/** Value of a numeric option in the unit of its kind, fallback if not given. Validated before. */
double rig__cli_number(const cli_input *input, cli_id id, double fallback);
/** Position of the value in the choices. Validated before. */
int rig__cli_choice(const cli_input *input, cli_id id);

/** Splits "FROM..TO" at the dots. @return false: the text is no range */
#define CLI_RANGE_SIZE 128
bool rig__cli_split_range(const char *text, char from[CLI_RANGE_SIZE], char to[CLI_RANGE_SIZE]);

/** Origin of a value for messages: "--budget", "TRAINRIG_BUDGET" or "trainrig.conf:3:1". */
#define CLI_WHERE_SIZE 512
char *rig__cli_where(const cli_input *input, cli_id id, size_t index, char where[CLI_WHERE_SIZE]);

/** Exit code for a bad value of an option: 6 if it stands in a file, else 2. */
cli_exit rig__cli_blame(const cli_input *input, cli_id id);

/** Checks every value given for an option of the verb. Prints the first error. */
cli_exit rig__cli_validate(const cli_input *input);

/** Day of a date text as YYYYMMDD, 00 for a missing month or day. @return false: not a date */
bool rig__cli_date_parse(const char *text, int *out);

/** Returns from a function when an expression of type cli_exit is not success. */
#define CLI_TRY(expression)                                                                        \
    do {                                                                                           \
        const cli_exit try_exit_ = (expression);                                                   \
        if (try_exit_ != CLI_EXIT_OK) {                                                            \
            return try_exit_;                                                                      \
        }                                                                                          \
    } while (0)

#endif
