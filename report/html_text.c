/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text in HTML: escaping, links, lists. */
#include "report/html_text.h"

#include <math.h>
#include <string.h>

/** What stands for a character that is markup, NULL: itself. */
static const char *entity_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

#define LONGEST_ENTITY 6

const char *rig__html_escape(rig__output *output, const char *text)
{
    const char *clean = rig__output_clean(output, text, RIG__CLEAN_UTF8);
    if (strpbrk(clean, "<>&\"'") == NULL) {
        return clean;
    }
    char *escaped = rig__arena_alloc(output->arena, strlen(clean) + 1, LONGEST_ENTITY);
    if (escaped == NULL) {
        output->is_nomem = true;
        return "";
    }
    char *end = escaped;
    for (const char *c = clean; *c != '\0'; c++) {
        const char *entity = entity_of(*c);
        if (entity == NULL) {
            *end++ = *c;
        } else {
            memcpy(end, entity, strlen(entity));
            end += strlen(entity);
        }
    }
    *end = '\0';
    return escaped;
}

const char *rig__html_share(rig__output *output, double frac)
{
    const long hundredths = lround(fmin(fmax(frac, 0.0), 1.0) * 10000.0);
    return rig__output_string(output, "%ld.%02ld%%", hundredths / 100, hundredths % 100);
}

const char *rig__html_source(rig__output *output, const char *source)
{
    const char *text = rig__html_escape(output, source);
    if (source == NULL ||
        (strncmp(source, "https://", 8) != 0 && strncmp(source, "http://", 7) != 0) ||
        strpbrk(source, " \t\r\n") != NULL) {
        return text;
    }
    return rig__output_string(output, "<a rel=\"noreferrer\" href=\"%s\">%s</a>", text, text);
}

void rig__html_texts(rig__output *output, const char *heading, const rig_texts *texts)
{
    if (texts->count == 0) {
        return;
    }
    rig__output_format(output, "<section>\n<h2>%s</h2>\n<ul>\n", heading);
    for (size_t i = 0; i < texts->count; i++) {
        rig__output_format(output, "<li>%s</li>\n", rig__html_escape(output, texts->items[i]));
    }
    rig__output_text(output, "</ul>\n</section>\n");
}

void rig__html_fact(rig__output *output, const char *name, const char *value)
{
    rig__output_format(output,
                       "<div><dt>%s</dt><dd>%s</dd></div>\n",
                       rig__html_escape(output, name),
                       rig__html_escape(output, value));
}
