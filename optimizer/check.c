/* SPDX-License-Identifier: GPL-3.0-or-later
 * Independent check of the physical rules on a whole or partial build. */
#include "optimizer/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trainrig/optimizer.h"

void rig__check_fail(rig__check *check, const char *rule, const char *format, ...)
{
    if (check->count < check->cap) {
        rig_violation *const violation = &check->out[check->count];
        va_list arguments;
        violation->rule = rule;
        va_start(arguments, format);
        (void)vsnprintf(violation->message, sizeof violation->message, format, arguments);
        va_end(arguments);
    }
    check->count++;
}

double rig__check_constant(const rig__check *check, const char *name)
{
    return rig_constants_get(check->constants, name);
}

double rig__check_share(const rig__check *check, double whole)
{
    const rig__view *const view = check->view;
    if (view->cpu == NULL) {
        return whole;
    }
    return floor(whole * view->n_cpus / view->board->sockets);
}

char *rig__check_form(const char *text, char *buffer, size_t size)
{
    size_t length = 0;
    for (; text != NULL && *text != '\0' && length + 1 < size; text++) {
        if (*text == ' ' || *text == '-') {
            continue;
        }
        buffer[length++] = (char)(*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text);
    }
    buffer[length] = '\0';
    return buffer;
}

/* One board, case, server: more of them would be more than one machine. */
static void check_singles(rig__check *check)
{
    const rig__view *const view = check->view;
    if (view->n_boards > 1) {
        rig__check_fail(check,
                        "complete",
                        "a machine has one board: '%s x%d' (x1)",
                        view->board->row.name,
                        view->n_boards);
    }
    if (view->n_chassis > 1) {
        rig__check_fail(check,
                        "chassis",
                        "a machine has one chassis: '%s x%d' (x1)",
                        view->chassis->row.name,
                        view->n_chassis);
    }
    if (view->n_baseboards > 1) {
        rig__check_fail(check,
                        "baseboard",
                        "a machine has one baseboard: '%s x%d' (x1)",
                        view->baseboard->row.name,
                        view->n_baseboards);
    }
}

/* R10: a complete server holds everything, so nothing but network cards may stand beside it. */
static void check_server(rig__check *check, const rig_build *build)
{
    const rig__view *const view = check->view;
    if (view->n_servers > 1) {
        rig__check_fail(check,
                        "server",
                        "a build is one machine: '%s x%d' (x1)",
                        view->server->row.name,
                        view->n_servers);
    }
    for (size_t i_class = 0; i_class < RIG_N_BUILD_CLASSES; i_class++) {
        const rig_part_use *const use = &build->parts[i_class];
        if (i_class == RIG_TABLE_SERVER || i_class == RIG_TABLE_NIC ||
            i_class == RIG_TABLE_SWITCH || use->row == NULL || use->count < 1) {
            continue;
        }
        rig__check_fail(check,
                        "server",
                        "'%s' is a complete server and already has its %s: '%s x%d' (no other "
                        "parts)",
                        view->server->row.name,
                        rig_table_singular((rig_table)i_class),
                        use->row->name,
                        use->count);
    }
}

/* R11: GPU modules on a baseboard need a board made for them and no other GPU. */
static void check_baseboard(rig__check *check)
{
    const rig__view *const view = check->view;
    const rig_baseboard *const baseboard = view->baseboard;
    if (baseboard == NULL) {
        return;
    }
    if (view->has_loose_gpu) {
        rig__check_fail(check,
                        "baseboard",
                        "baseboard '%s' already holds its %.0f GPUs: '%s x%d' (no separate GPU)",
                        baseboard->row.name,
                        baseboard->gpu_count,
                        view->gpu->row.name,
                        view->n_gpus);
    } else if (view->gpu == NULL) {
        rig__check_fail(check,
                        "baseboard",
                        "GPU of baseboard '%s' is not in the catalogue: '%s'",
                        baseboard->row.name,
                        baseboard->gpu_name);
    }
    if (view->board != NULL && strcmp(view->board->gpu_form, baseboard->form) != 0) {
        rig__check_fail(check,
                        "baseboard",
                        "baseboard '%s' is %s, board '%s' takes %s GPUs",
                        baseboard->row.name,
                        baseboard->form,
                        view->board->row.name,
                        view->board->gpu_form);
    }
}

static void require_part(rig__check *check, bool is_there, const char *what)
{
    if (!is_there) {
        rig__check_fail(check, "complete", "the build has no %s", what);
    }
}

/* A machine that is to run needs one of everything. */
static void check_complete(rig__check *check)
{
    const rig__view *const view = check->view;
    require_part(check, view->board != NULL, "board and no complete server");
    require_part(check, view->cpu != NULL, "processor");
    require_part(check, view->memory != NULL, "memory");
    require_part(check, view->has_loose_gpu || view->baseboard != NULL, "GPU");
    require_part(check, view->storage != NULL, "storage");
    if (view->board != NULL && !view->is_barebone) {
        require_part(check, view->chassis != NULL, "chassis");
        require_part(check, view->psu != NULL, "power supply");
    }
}

size_t rig_build_check(const rig_build *build,
                       const rig_catalog *catalog,
                       const rig_constants *constants,
                       bool is_complete,
                       rig_violation *out,
                       size_t cap)
{
    rig__view view;
    rig__check check = {&view, constants, out, out == NULL ? 0 : cap, 0};
    rig__view_get(build, catalog, &view);
    if (view.server != NULL) {
        check_server(&check, build);
        rig__check_network(&check, is_complete);
        return check.count;
    }
    check_singles(&check);
    rig__check_processors(&check);
    rig__check_memory(&check);
    rig__check_gpus(&check);
    check_baseboard(&check);
    rig__check_chassis(&check);
    rig__check_supply(&check);
    rig__check_drives(&check);
    rig__check_network(&check, is_complete);
    if (is_complete) {
        check_complete(&check);
    }
    return check.count;
}
