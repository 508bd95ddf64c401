/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON trees as text, with the shortest form of every number. */
#include "report/json_print.h"

#include <string.h>

#include "base/text.h"

static void start_line(rig__output *output, int level)
{
    rig__output_format(output, "\n%*s", level * 2, "");
}

/** Characters that act on terminals but that JSON would let through. */
static bool needs_ascii(const char *text)
{
    uint32_t code = 0;
    size_t length = rig__output_decode(text, &code);
    while (length > 0) {
        if (code >= 0x80 && rig__output_is_harmful(code)) {
            return true;
        }
        text += length;
        length = rig__output_decode(text, &code);
    }
    return false;
}

static int put_bytes(const char *bytes, size_t length, void *payload)
{
    rig__output *output = payload;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == 0x7F) {
            rig__output_text(output, "\\u007f");
        } else {
            rig__output_bytes(output, bytes + i, 1);
        }
    }
    return 0;
}

static void print_string(rig__output *output, const json_t *value)
{
    const size_t flags =
        JSON_ENCODE_ANY | (needs_ascii(json_string_value(value)) ? JSON_ENSURE_ASCII : 0U);
    if (json_dump_callback(value, put_bytes, output, flags) != 0) {
        output->is_nomem = true;
    }
}

static void print_number(rig__output *output, const json_t *value)
{
    char text[32];
    if (json_is_integer(value)) {
        rig__output_format(output, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else {
        rig__output_text(output, rig__number_format(text, sizeof(text), json_real_value(value)));
    }
}

static void print_value(rig__output *output, json_t *value, int level);

static void print_key(rig__output *output, const char *key)
{
    json_t *text = json_string(key);
    if (text == NULL) {
        output->is_nomem = true;
        return;
    }
    print_string(output, text);
    rig__output_text(output, ": ");
    json_decref(text);
}

static void print_object(rig__output *output, json_t *object, int level)
{
    const char *key = NULL;
    json_t *value = NULL;
    bool is_first = true;
    rig__output_text(output, "{");
    json_object_foreach(object, key, value)
    {
        rig__output_text(output, is_first ? "" : ",");
        start_line(output, level + 1);
        print_key(output, key);
        print_value(output, value, level + 1);
        is_first = false;
    }
    if (!is_first) {
        start_line(output, level);
    }
    rig__output_text(output, "}");
}

static void print_array(rig__output *output, json_t *array, int level)
{
    const size_t n_values = json_array_size(array);
    rig__output_text(output, "[");
    for (size_t i = 0; i < n_values; i++) {
        rig__output_text(output, i == 0 ? "" : ",");
        start_line(output, level + 1);
        print_value(output, json_array_get(array, i), level + 1);
    }
    if (n_values > 0) {
        start_line(output, level);
    }
    rig__output_text(output, "]");
}

/** The recursion is as deep as the report's own objects, never as deep as its input. */
static void print_value(rig__output *output, json_t *value, int level)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        print_object(output, value, level);
        break;
    case JSON_ARRAY:
        print_array(output, value, level);
        break;
    case JSON_STRING:
        print_string(output, value);
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        print_number(output, value);
        break;
    case JSON_TRUE:
        rig__output_text(output, "true");
        break;
    case JSON_FALSE:
        rig__output_text(output, "false");
        break;
    case JSON_NULL:
        rig__output_text(output, "null");
        break;
    }
}

void rig__json_print(rig__output *output, json_t *root)
{
    print_value(output, root, 0);
}
