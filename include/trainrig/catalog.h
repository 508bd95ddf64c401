/* SPDX-License-Identifier: GPL-3.0-or-later
 * Catalogue: parts with prices and the model's data tables, read from CSV and then frozen. */
#ifndef RIG_CATALOG_H
#define RIG_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/columns.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Table of the catalogue; RIG_N_TABLES counts them. */
typedef enum rig_table {
#define RIG_TABLE_ENUM(enumerator, type, stem, singular, columns, kind) RIG_TABLE_##enumerator,
    RIG_TABLE_MAP(RIG_TABLE_ENUM)
#undef RIG_TABLE_ENUM
        RIG_N_TABLES
} rig_table;

/** Trust in a price, best first. */
typedef enum rig_trust { RIG_TRUST_GOOD, RIG_TRUST_FAIR, RIG_TRUST_LOW } rig_trust;

/** Price of a part as one source gives it. Dates are YYYYMMDD with 00 for an unknown month or day.
 */
typedef struct rig_price {
    int64_t cents;      /**< US cents, -1 means unknown */
    const char *kind;   /**< street, list-1kU, msrp, used-median ...; NULL means unknown */
    const char *source; /**< NULL means unknown */
    const char *date;   /**< as written, NULL means unknown */
    int32_t date_ymd;   /**< 0 means unknown */
    rig_trust trust;
    bool is_used; /**< no present offer of a new part: the kind starts with used, ebay,
                       renewed or release (launch price) */
} rig_price;

/** Head of every row of every table; the first member of each row struct. */
typedef struct rig_row {
    const char *name; /**< key, unique within its table */
    const char *file; /**< file it was read from */
    long line;        /**< line of that file */
    rig_table table;
    rig_price price;         /**< effective price after the policy; cents -1: not for sale */
    const char *spec_source; /**< NULL means unknown */
    const char *notes;       /**< NULL means none */
} rig_row;

/* Row structs, generated: `rig_row row;` first, then TEXT as const char *, others as double. */
#define RIG_MEMBER_TEXT(field) const char *field;
#define RIG_MEMBER_NUMBER(field) double field;
#define RIG_MEMBER_INTEGER(field) double field;
#define RIG_MEMBER(type, field, unit, low, high, need, help) RIG_MEMBER_##type(field)
#define RIG_TABLE_STRUCT(enumerator, type, stem, singular, columns, kind)                          \
    typedef struct type {                                                                          \
        rig_row row;                                                                               \
        columns(RIG_MEMBER)                                                                        \
    } type;
/* clang-format off */
RIG_TABLE_MAP(RIG_TABLE_STRUCT)
/* clang-format on */
#undef RIG_TABLE_STRUCT
#undef RIG_MEMBER
#undef RIG_MEMBER_TEXT
#undef RIG_MEMBER_NUMBER
#undef RIG_MEMBER_INTEGER

/** Type of a column. */
typedef enum rig_column_type {
    RIG_COLUMN_TEXT,
    RIG_COLUMN_NUMBER,
    RIG_COLUMN_INTEGER,
    RIG_COLUMN_MONEY,
    RIG_COLUMN_DATE
} rig_column_type;

/** Description of one column; see columns.h. */
typedef struct rig_column {
    const char *name;
    rig_column_type type;
    const char *unit;
    double low, high;
    bool is_required;
    const char *help;
    size_t offset; /**< of the member in the row struct */
} rig_column;

/** Which prices count. Quotes that fail the policy are ignored and counted. */
typedef struct rig_price_policy {
    int32_t after_ymd;      /**< only prices of this date or later; 0 means any */
    rig_trust lowest_trust; /**< default RIG_TRUST_LOW */
    bool allow_used;        /**< default false: second-hand and launch prices are not offered */
    bool allow_absurd;      /**< default false: zero and absurdly low prices are excluded */
} rig_price_policy;

/** Where and how to load a catalogue. Strings are borrowed during the call only. */
typedef struct rig_catalog_options {
    const char *const *directories; /**< in order, later ones overlay earlier ones by name */
    size_t n_directories;
    const char *quotes_file; /**< own quotes (quotes.csv columns, part_class may be empty); NULL:
                                none. They win over every other price. */
    rig_price_policy policy;
    bool is_check; /**< go on after an error and report all of them through on_problem */
    void (*on_problem)(const rig_error *problem, bool is_error, void *payload); /**< may be NULL */
    void *payload;
} rig_catalog_options;

/** Counts of what loading did with prices and rows. */
typedef struct rig_catalog_summary {
    size_t rows[RIG_N_TABLES];
    size_t priced[RIG_N_TABLES];  /**< with an effective price */
    size_t quotes_unused_foreign; /**< in another currency */
    size_t excluded_absurd;       /**< zero, negative or below 1/100 of the class median */
    size_t excluded_date, excluded_trust, excluded_used;
    size_t overlaid; /**< rows replaced by a later directory */
    uint64_t hash;   /**< of all bytes read, order independent of the directory listing */
} rig_catalog_summary;

typedef struct rig_catalog rig_catalog;

/** Default options: no directory, any date, low trust allowed, no second-hand or launch prices. */
RIG_API rig_catalog_options rig_catalog_options_default(void);

/** Reads every known table of every directory; one arena holds all; frozen afterwards.
 *
 *  A directory holds files named after the tables (cpus.csv, gpus.csv ...); a file that is not
 *  there is an empty table, any other *.csv file is an error. Texts are UTF-8.
 *  @param[out] out  NULL on failure; free with rig_catalog_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_SCHEMA, RIG_E_RANGE, RIG_E_DUPLICATE with
 *          file, line and column in err; RIG_E_NOMEM
 *  @thread safe
 */
RIG_API RIG_NODISCARD rig_status rig_catalog_load(rig_catalog **out,
                                                  const rig_catalog_options *options,
                                                  rig_error *err);
RIG_API void rig_catalog_free(rig_catalog *catalog);

RIG_API const rig_catalog_summary *rig_catalog_summary_get(const rig_catalog *catalog);

/** Rows of a table, sorted by name (byte order), whatever the order in the files. */
RIG_API size_t rig_catalog_count(const rig_catalog *catalog, rig_table table);
RIG_API const rig_row *rig_catalog_row(const rig_catalog *catalog, rig_table table, size_t index);

/** Row by exact name; NULL if there is none. */
RIG_API const rig_row *
rig_catalog_get(const rig_catalog *catalog, rig_table table, const char *name);

/** Row by what a person writes: exact name, else the same ignoring case, else the only row that
 *  holds all words of the text ("RTX 4090"); a row whose words end with the text's words wins over
 *  longer ones ("RTX 3090" is not ambiguous with "RTX 3090 Ti").
 *  @return RIG_OK; RIG_E_NOTFOUND with the nearest names in err->hint; RIG_E_INVALID if ambiguous
 *          with the candidates in err->hint */
RIG_API RIG_NODISCARD rig_status rig_catalog_find(const rig_catalog *catalog,
                                                  rig_table table,
                                                  const char *text,
                                                  const rig_row **out,
                                                  rig_error *err);

/** All prices known for a part: the effective one first. Returns how many exist; fills up to cap.
 */
RIG_API size_t rig_catalog_prices(const rig_catalog *catalog,
                                  const rig_row *row,
                                  rig_price *out,
                                  size_t cap);

/* Schema. */
RIG_API const char *rig_table_stem(rig_table table);     /**< "cpus" */
RIG_API const char *rig_table_singular(rig_table table); /**< "cpu" */
RIG_API bool rig_table_is_part(rig_table table);
RIG_API RIG_NODISCARD rig_status rig_table_parse(const char *text, rig_table *out, rig_error *err);
RIG_API size_t rig_column_count(rig_table table);
RIG_API const rig_column *rig_column_at(rig_table table, size_t index);
RIG_API const rig_column *rig_column_find(rig_table table, const char *name); /**< NULL: none */
/** Value of a column: text (NULL: unknown) or number (NAN: unknown; money in dollars). */
RIG_API const char *rig_row_text(const rig_row *row, const rig_column *column);
RIG_API double rig_row_number(const rig_row *row, const rig_column *column);

/** Memory "GB" as sold, in bytes: 2^30. Drives, data sets and links use 1e9. */
#define RIG_MEMORY_GB_BYTES 1073741824.0

#ifdef __cplusplus
}
#endif
#endif
