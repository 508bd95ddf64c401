/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb catalog: list, show, check and import part lists. */
#include <string.h>

#include "cli/catalog_rows.h"
#include "cli/commands.h"
#include "cli/nearest.h"

cli_exit rig__cli_catalog(const cli_input *input)
{
    static const char *const actions[] = {"list", "show", "check", "import"};
    const char *action = input->n_arguments > 0 ? input->arguments[0] : NULL;
    cli_session session;
    if (action == NULL) {
        rig__cli_error(
            "catalog needs list, show, check or import, as in: trainrig catalog list gpus");
        return CLI_EXIT_USAGE;
    }
    if (strcmp(action, "check") == 0) {
        return rig__cli_catalog_check(input);
    }
    if (strcmp(action, "import") == 0) {
        return rig__cli_catalog_import(input);
    }
    if (strcmp(action, "list") != 0 && strcmp(action, "show") != 0) {
        cli_nearest nearest = rig__cli_nearest_start(action, strlen(action));
        for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
            rig__cli_nearest_offer(&nearest, actions[i]);
        }
        rig__cli_error("unknown action: 'catalog %s' (expected list, show, check or import)",
                       action);
        if (rig__cli_nearest_name(&nearest) != NULL) {
            rig__cli_error("hint: did you mean catalog %s?", rig__cli_nearest_name(&nearest));
        }
        return CLI_EXIT_USAGE;
    }
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        code = strcmp(action, "list") == 0 ? rig__cli_catalog_list(&session)
                                           : rig__cli_catalog_show(&session);
    }
    rig__cli_session_free(&session);
    return code;
}
