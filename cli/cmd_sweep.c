/* SPDX-License-Identifier: GPL-3.0-or-later
 * Verb sweep: recommend for every scenario of a file, resumable and in shards. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/scenario.h"
#include "trainrig/version.h"

/* Where rows go. A file grows under the name PATH.part, which survives a kill, and gets its own
 * name when it is whole. */
typedef struct sweep {
    cli_scenarios scenarios;
    const char *path; /**< NULL: standard output */
    char *part;
    FILE *stream;
    rig_report_options options;
    uint64_t hash;
    size_t shard_first, shard_end, shard;
    size_t n_errors, n_limits, n_written;
    bool is_internal, is_stopped;
    cli_exit failed; /**< of the output */
    char *row;       /**< the present row, so that it is written in one piece */
    size_t row_size, row_room;
} sweep;

/* ---- usage ----------------------------------------------------------------------------------- */

static cli_exit check_usage(const cli_input *input)
{
    const char *path = rig__cli_text(input, OPT_OUTPUT);
    if (input->n_arguments != 1) {
        rig__cli_error("expected one file of scenarios, as in: trainrig sweep scenarios.csv -o "
                       "results.csv");
        return CLI_EXIT_USAGE;
    }
    if (rig__cli_is_given(input, OPT_RESUME) && (path == NULL || strcmp(path, "-") == 0)) {
        rig__cli_error("--resume needs --output FILE: standard output cannot be read back");
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* Part I of N of the rows: contiguous, so that outputs one after another are the whole. */
static cli_exit find_shard(sweep *s, const cli_input *input)
{
    const char *text = rig__cli_text(input, OPT_SHARD);
    const size_t n_rows = rig_scenarios_count(s->scenarios.file);
    unsigned long shard = 1, n_shards = 1;
    char *end = NULL;
    char where[CLI_WHERE_SIZE];
    if (text != NULL) {
        shard = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
        const bool has_count = end != NULL && end[0] == '/' && end[1] >= '0' && end[1] <= '9';
        n_shards = has_count ? strtoul(end + 1, &end, 10) : 0;
        if (shard < 1 || n_shards < shard || n_shards > 1000000 || *end != '\0') {
            rig__cli_error("%s: not a part: '%s' (expected I/N with I from 1 to N, as in 2/8)",
                           rig__cli_where(input, OPT_SHARD, 0, where),
                           text);
            return rig__cli_blame(input, OPT_SHARD);
        }
    }
    s->shard = shard;
    s->shard_first = n_rows * (shard - 1) / n_shards;
    s->shard_end = n_rows * shard / n_shards;
    return CLI_EXIT_OK;
}

static size_t find_threads(const cli_input *input)
{
    const long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double fallback = n_cores < 1 ? 1 : n_cores > 1024 ? 1024 : (double)n_cores;
    return (size_t)rig__cli_number(input, OPT_THREADS, fallback);
}

/* ---- fingerprint ----------------------------------------------------------------------------- */

/* Scenarios, options that change answers, catalogue, today and version; not shard and threads. The
 * catalogue is that of the sweep's options: files that cells name are known by name only. */
static cli_exit find_hash(sweep *s, const cli_input *input)
{
    const char **texts = NULL;
    char numbers[64];
    cli_session session;
    size_t n = 0, room = 4;
    for (int id = 0; id < N_OPTIONS; id++) {
        room += 1 + rig__cli_count(input, (cli_id)id);
    }
    cli_exit code = rig__cli_session_load(&session, input);
    if (code == CLI_EXIT_OK) {
        int32_t today = 0;
        code = rig__cli_today(&today);
        snprintf(numbers,
                 sizeof numbers,
                 "%016" PRIx64 " %ld",
                 rig_catalog_summary_get(session.catalog)->hash,
                 (long)today);
    }
    rig__cli_session_free(&session);
    CLI_TRY(code);
    texts = calloc(room, sizeof *texts);
    if (texts == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    texts[n++] = RIG_VERSION_STRING;
    texts[n++] = numbers;
    for (int id = 0; id < N_OPTIONS; id++) {
        if (!rig__cli_is_column((cli_id)id)) {
            continue;
        }
        texts[n++] = rig__cli_options[id].name;
        for (size_t i = 0; i < rig__cli_count(input, (cli_id)id); i++) {
            texts[n++] = rig__cli_item(input, (cli_id)id, i);
        }
    }
    s->hash = rig_scenarios_hash(s->scenarios.file, texts, n);
    free(texts);
    return CLI_EXIT_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static cli_exit cannot_write(const sweep *s)
{
    rig__cli_error("%s: cannot be written: %s",
                   s->part != NULL ? s->part : "standard output",
                   strerror(errno));
    return CLI_EXIT_FILE;
}

static bool keep_bytes(const char *bytes, size_t length, void *payload)
{
    sweep *s = payload;
    if (s->row_size + length > s->row_room) {
        const size_t room = (s->row_size + length) * 2;
        char *row = realloc(s->row, room);
        if (row == NULL) {
            return false;
        }
        s->row = row;
        s->row_room = room;
    }
    memcpy(s->row + s->row_size, bytes, length);
    s->row_size += length;
    return true;
}

/* What is gathered goes out at once: after a kill only the last write can be torn. */
static bool flush_row(sweep *s)
{
    const bool is_out =
        fwrite(s->row, 1, s->row_size, s->stream) == s->row_size && fflush(s->stream) == 0;
    s->row_size = 0;
    if (!is_out) {
        s->failed = cannot_write(s);
    }
    return is_out;
}

/* What an earlier run left. @param[out] is_finished  nothing is left to do */
static cli_exit resume(sweep *s, bool *is_finished, size_t *n_bytes)
{
    rig_sweep_progress progress = {0};
    rig_error err = {0};
    const bool has_part = access(s->part, F_OK) == 0;
    const bool has_whole = !has_part && access(s->path, F_OK) == 0;
    s->scenarios.first = s->shard_first;
    if (!has_part && !has_whole) {
        return CLI_EXIT_OK;
    }
    const rig_status status = rig_sweep_progress_read(&progress,
                                                      has_part ? s->part : s->path,
                                                      s->hash,
                                                      s->shard_first,
                                                      s->shard_end,
                                                      s->shard == 1,
                                                      has_whole,
                                                      &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, true);
    }
    s->n_errors = progress.n_errors;
    s->n_limits = progress.n_limits;
    s->scenarios.first = progress.next_row;
    *n_bytes = progress.n_bytes;
    *is_finished = has_whole;
    if (has_whole && progress.next_row != s->shard_end) {
        rig__cli_error("%s: ends before its last row (expected row %zu)", s->path, s->shard_end);
        return CLI_EXIT_INPUT;
    }
    rig__cli_note("%zu of %zu rows are there",
                  progress.next_row - s->shard_first,
                  s->shard_end - s->shard_first);
    return CLI_EXIT_OK;
}

static cli_exit open_part(sweep *s, const cli_input *input, bool *is_finished)
{
    size_t n_bytes = 0;
    s->part = malloc(strlen(s->path) + sizeof ".part");
    if (s->part == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    sprintf(s->part, "%s.part", s->path);
    if (rig__cli_is_given(input, OPT_RESUME)) {
        CLI_TRY(resume(s, is_finished, &n_bytes));
    } else if (access(s->part, F_OK) == 0) {
        rig__cli_error("%s: an unfinished sweep is there (expected --resume to go on, or no such "
                       "file)",
                       s->part);
        return CLI_EXIT_FILE;
    }
    if (*is_finished) {
        return CLI_EXIT_OK;
    }
    s->stream = fopen(s->part, n_bytes > 0 ? "r+" : "w");
    if (s->stream == NULL || ftruncate(fileno(s->stream), (off_t)n_bytes) != 0 ||
        fseek(s->stream, 0, SEEK_END) != 0) {
        return cannot_write(s);
    }
    return CLI_EXIT_OK;
}

static cli_exit put_header(sweep *s)
{
    rig_error err = {0};
    if (s->shard != 1 || ftell(s->stream) > 0) {
        return CLI_EXIT_OK;
    }
    const rig_status status =
        rig_report_scenario_header(s->scenarios.file, &s->options, keep_bytes, s, &err);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        return rig__cli_exit_of(status, false);
    }
    return flush_row(s) ? CLI_EXIT_OK : s->failed;
}

static cli_exit close_part(sweep *s)
{
    const bool is_closed = s->stream == stdout ? fflush(stdout) == 0 : fclose(s->stream) == 0;
    s->stream = NULL;
    if (!is_closed) {
        return cannot_write(s);
    }
    if (s->part != NULL && !s->is_stopped && s->failed == CLI_EXIT_OK &&
        rename(s->part, s->path) != 0) {
        return cannot_write(s);
    }
    return CLI_EXIT_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What the row says of a question that has no answer. */
static const char *explain(sweep *s, size_t i_row, rig_status status, const rig_error *err)
{
    const cli_scenario *item = &s->scenarios.items[i_row - s->scenarios.first];
    char place[CLI_WHERE_SIZE];
    s->n_errors++;
    if (item->is_wrong) {
        return item->message;
    }
    rig__cli_scenario_place(&s->scenarios, i_row, place);
    rig__cli_print_error(err, place);
    s->is_internal = s->is_internal || rig__cli_exit_of(status, false) == CLI_EXIT_INTERNAL;
    return err->message[0] != '\0' ? err->message : rig_status_text(status);
}

static bool put_answer(
    size_t index, const rig_result *result, rig_status status, const rig_error *err, void *payload)
{
    sweep *s = payload;
    rig_error wrong = {0};
    const char *message = NULL;
    const size_t i_row = s->scenarios.first + index;
    const bool is_cut = result != NULL && (result->outcome == RIG_OUTCOME_FEASIBLE ||
                                           result->outcome == RIG_OUTCOME_LIMIT);
    /* what an interrupt cut short is not an answer: it is asked again when the sweep goes on */
    if (status == RIG_E_CANCELLED || (rig__cli_is_caught(NULL) && is_cut)) {
        s->is_stopped = true;
        return false;
    }
    s->n_limits += is_cut;
    if (result == NULL) {
        message = explain(s, i_row, status, err);
    }
    const rig_status written = rig_report_scenario(
        s->scenarios.file, i_row, s->hash, result, message, &s->options, keep_bytes, s, &wrong);
    if (written != RIG_OK) {
        rig__cli_print_error(&wrong, NULL);
        s->failed = CLI_EXIT_INTERNAL;
        return false;
    }
    if (!flush_row(s)) {
        return false;
    }
    s->n_written++;
    s->is_stopped = rig__cli_is_caught(NULL) && i_row + 1 < s->shard_end;
    return !s->is_stopped;
}

static cli_exit answer(sweep *s, const cli_input *input)
{
    const size_t n = s->shard_end - s->scenarios.first;
    rig_question *questions = calloc(n + 1, sizeof *questions);
    rig_error err = {0};
    if (questions == NULL) {
        rig__cli_error("out of memory");
        return CLI_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < n; i++) {
        cli_session *session = &s->scenarios.items[i].session;
        if (!s->scenarios.items[i].is_wrong) {
            session->request.is_cancelled = rig__cli_is_caught;
            questions[i] = (rig_question){session->catalog, session->constants, &session->request};
        }
    }
    rig__cli_interrupt_start(false);
    const rig_status status =
        rig_recommend_many(questions, n, find_threads(input), put_answer, s, &err);
    rig__cli_interrupt_stop();
    free(questions);
    if (status != RIG_OK) {
        rig__cli_print_error(&err, NULL);
        s->is_stopped = true;
        return rig__cli_exit_of(status, false);
    }
    return s->failed;
}

static cli_exit judge(const sweep *s)
{
    if (s->is_stopped) {
        return s->n_written > 0 ? CLI_EXIT_STOPPED : rig__cli_interrupt_exit();
    }
    if (s->is_internal) {
        return CLI_EXIT_INTERNAL;
    }
    if (s->n_errors > 0) {
        rig__cli_error("%zu of %zu scenarios have no answer (see the column message)",
                       s->n_errors,
                       s->shard_end - s->shard_first);
        return CLI_EXIT_INPUT;
    }
    return s->n_limits > 0 ? CLI_EXIT_STOPPED : CLI_EXIT_OK;
}

static cli_exit run(sweep *s, const cli_input *input)
{
    const char *path = rig__cli_text(input, OPT_OUTPUT);
    bool is_finished = false;
    CLI_TRY(rig__cli_scenarios_open(&s->scenarios, input, input->arguments[0]));
    CLI_TRY(find_shard(s, input));
    CLI_TRY(find_hash(s, input));
    s->scenarios.first = s->scenarios.end = s->shard_first;
    s->stream = stdout;
    if (path != NULL && strcmp(path, "-") != 0) {
        s->path = path;
        s->stream = NULL;
        CLI_TRY(open_part(s, input, &is_finished));
    }
    if (is_finished) {
        return judge(s);
    }
    s->scenarios.end = s->shard_end;
    CLI_TRY(rig__cli_scenarios_prepare(&s->scenarios));
    CLI_TRY(put_header(s));
    const cli_exit answered = answer(s, input);
    CLI_TRY(close_part(s));
    return answered != CLI_EXIT_OK ? answered : judge(s);
}

cli_exit rig__cli_sweep(const cli_input *input)
{
    CLI_TRY(check_usage(input));
    sweep s = {.options = rig_report_options_default()};
    s.options.format = RIG_FORMAT_CSV;
    const cli_exit code = run(&s, input);
    if (s.stream != NULL && s.stream != stdout) {
        fclose(s.stream);
    }
    rig__cli_scenarios_free(&s.scenarios);
    free(s.part);
    free(s.row);
    return code;
}
