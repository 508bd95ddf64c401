/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any text as a number, an amount, a date, a quantity and a cell of every column. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "catalog/cell.h"
#include "trainrig/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int is_true)
{
    if (!is_true) {
        abort();
    }
}

static void check_number(const char *text, size_t size)
{
    double number = 0;
    if (rig__number_parse(text, size, &number)) {
        require(isfinite(number));
        char shortest[32];
        rig__number_format(shortest, sizeof shortest, number);
        double again = 0;
        require(rig__number_parse(shortest, strlen(shortest), &again));
        require(again >= number && again <= number);
    }
    int64_t cents = 0;
    (void)rig__cents_parse(text, size, &cents);
    int32_t ymd = 0;
    if (rig__date_parse(text, size, &ymd)) {
        require(ymd > 0);
        (void)rig__date_days(ymd);
    }
}

static void check_cells(const char *text)
{
    const rig__csv_cell cell = {text, strlen(text), 1, 1};
    for (size_t i = 0; i < rig_column_count(RIG_TABLE_GPU); i++) {
        const rig_column *const column = rig_column_at(RIG_TABLE_GPU, i);
        rig__cell_value value;
        rig_error err = {0};
        const rig_status status = rig__cell_parse(&cell, column, false, "f.csv", &value, &err);
        require(status == err.status);
        require(status != RIG_OK || isnan(value.number) ||
                (value.number >= column->low && value.number <= column->high));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1);
    require(text != NULL);
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    check_number(text, size);
    if (rig__utf8_is_valid(text, size) && strlen(text) == size) {
        check_cells(text);
    }
    for (int kind = RIG_QUANTITY_NUMBER; kind <= RIG_QUANTITY_FRACTION; kind++) {
        double value = 0;
        if (rig_quantity_parse(text, (rig_quantity)kind, &value, NULL) == RIG_OK) {
            require(isfinite(value));
        }
    }
    int64_t cents = 0;
    require(rig_money_parse(text, &cents, NULL) != RIG_OK || cents < INT64_MAX);
    free(text);
    return 0;
}
