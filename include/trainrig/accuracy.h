/* SPDX-License-Identifier: GPL-3.0-or-later
 * How well the model predicts: measurements, profiles of fitted constants, errors by group,
 * cross-validation and intervals from residuals. */
#ifndef RIG_ACCURACY_H
#define RIG_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>

#include "trainrig/catalog.h"
#include "trainrig/model.h"
#include "trainrig/optimizer.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- profiles ----------------------------------------------------------------------------- */

/* Tables that a profile may change: enumerator, word in the file, catalogue table, main column. */
#define RIG_PROFILE_TABLE_MAP(X)                                                                   \
    X(CONSTANTS, "constants", RIG_TABLE_CONSTANT, "value")                                         \
    X(EFFICIENCY, "efficiency", RIG_TABLE_EFFICIENCY, "step_factor")                               \
    X(STACKS, "stacks", RIG_TABLE_STACK, "step_factor")                                            \
    X(LOADERS, "loaders", RIG_TABLE_LOADER, "decode_factor")                                       \
    X(NETWORKS, "networks", RIG_TABLE_NETWORK, "activations_m")                                    \
    X(INTERVALS, "intervals", RIG_TABLE_INTERVAL, "half_width")                                    \
    X(FITTED, "fitted", RIG_N_TABLES, "") /* a group whose rows were fitted, as "gpu:NAME" */      \
    X(CORRELATION, "correlation", RIG_N_TABLES, "") /* of two fitted figures, as "A ~ B" */

typedef enum rig_profile_table {
#define RIG_PROFILE_ENUM(enumerator, word, table, column) RIG_PROFILE_##enumerator,
    RIG_PROFILE_TABLE_MAP(RIG_PROFILE_ENUM)
#undef RIG_PROFILE_ENUM
        RIG_N_PROFILE_TABLES
} rig_profile_table;

/** One fitted figure. name is that of a row of the table, for a column other than the main one
 *  followed by '.' and the column ("pytorch.launch_factor"). */
typedef struct rig_profile_entry {
    rig_profile_table table;
    const char *name;
    double value;  /**< NAN only for FITTED; there the spread of the errors over that of all */
    double log_sd; /**< relative uncertainty; NAN: that of the shipped row */
    double rows;   /**< measurements behind it; NAN: not told */
    const char *source;
    long line; /**< of the file it was read from, 0: none */
} rig_profile_entry;

/** Fitted figures that replace those of a catalogue. */
typedef struct rig_profile rig_profile;

/** @param name  for messages about the entries, copied @return NULL: out of memory */
RIG_API rig_profile *rig_profile_new(const char *name);
RIG_API void rig_profile_free(rig_profile *profile);
/** Adds a copy of an entry; a later one for the same table and name replaces it. */
RIG_API RIG_NODISCARD rig_status rig_profile_add(rig_profile *profile,
                                                 const rig_profile_entry *entry,
                                                 rig_error *err);
RIG_API size_t rig_profile_count(const rig_profile *profile);
RIG_API const rig_profile_entry *rig_profile_at(const rig_profile *profile, size_t index);

/** Reads a profile: CSV with the columns table, name, value, log_sd, rows, source.
 *  @param[out] out  NULL on failure; free with rig_profile_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_SCHEMA, RIG_E_DUPLICATE with the place */
RIG_API RIG_NODISCARD rig_status rig_profile_read(rig_profile **out,
                                                  const char *path,
                                                  rig_error *err);

/** A catalogue like base with the figures of a profile in place. Checks names, columns, ranges.
 *
 *  Only `efficiency` may bring new rows: a GPU, "VENDOR ARCH" or "VENDOR".
 *  @param base  borrowed: must outlive the new catalogue
 *  @param[out] out  NULL on failure; free with rig_catalog_free, before base
 *  @return RIG_OK; RIG_E_NOTFOUND, RIG_E_SCHEMA, RIG_E_RANGE with the place in the profile */
RIG_API RIG_NODISCARD rig_status rig_profile_apply(rig_catalog **out,
                                                   const rig_catalog *base,
                                                   const rig_profile *profile,
                                                   rig_error *err);

/* ---- measurements ------------------------------------------------------------------------- */

typedef enum rig_measurement_kind {
    RIG_MEASUREMENT_SYSTEM, /**< complete systems, real data */
    RIG_MEASUREMENT_GPU,    /**< training rates, most of them with synthetic data */
    RIG_MEASUREMENT_CPU,    /**< preparation on the processor alone */
    RIG_MEASUREMENT_STORAGE /**< reading alone */
} rig_measurement_kind;

/* What rows are grouped by: enumerator, word. `stage` is the predicted binding stage. */
#define RIG_GROUP_MAP(X)                                                                           \
    X(KIND, "kind")                                                                                \
    X(GPU, "gpu")                                                                                  \
    X(GENERATION, "generation")                                                                    \
    X(CPU, "cpu")                                                                                  \
    X(CPU_FAMILY, "cpu-family")                                                                    \
    X(NETWORK, "network")                                                                          \
    X(STACK, "stack")                                                                              \
    X(LOADER, "loader")                                                                            \
    X(PRECISION, "precision")                                                                      \
    X(SOURCE, "source")                                                                            \
    X(SYSTEM, "system")                                                                            \
    X(SUBMITTER, "submitter")                                                                      \
    X(COUNT, "count")                                                                              \
    X(NODES, "nodes")                                                                              \
    X(FILE, "file")                                                                                \
    X(STAGE, "stage")

typedef enum rig_group {
#define RIG_GROUP_ENUM(enumerator, word) RIG_GROUP_##enumerator,
    RIG_GROUP_MAP(RIG_GROUP_ENUM)
#undef RIG_GROUP_ENUM
        RIG_N_GROUPS
} rig_group;

RIG_API const char *rig_group_name(rig_group group);
RIG_API RIG_NODISCARD rig_status rig_group_parse(const char *text, rig_group *out, rig_error *err);

/** What a row of a processor file measures. */
typedef enum rig_preparation {
    RIG_PREPARATION_TRAIN,      /**< decode, crop, resize, as training does */
    RIG_PREPARATION_DECODE,     /**< decoding alone, in one process */
    RIG_PREPARATION_HANDED_OVER /**< decoding in workers that hand whole images over */
} rig_preparation;

/** One published or own measurement in the terms of the model. Texts live as long as the set, rows
 *  as long as the catalogue it was read with. */
typedef struct rig_measurement {
    const char *id; /**< as the file names it, else FILE:LINE */
    const char *file;
    long line;
    rig_measurement_kind kind;
    double observed_images_per_s; /**< all GPUs and nodes together, steady state */
    double first_epoch_s;         /**< NAN: not told, or not slower than later ones */
    double weight;                /**< one over the square root of the rows of its system */
    unsigned expected_stages;     /**< bits 1 << rig_stage that may bind; 0: the row does not say */
    bool is_undecided; /**< slower than the same run without data, but not by so much as to tell */
    const char *doubt; /**< why it is no measurement of what it says it is; NULL: it is one */
    const char *labels[RIG_N_GROUPS]; /**< NULL: not told; STAGE is always NULL */
    const char *software;    /**< framework and release of a GPU row as printed; NULL: not told */
    rig_build build;         /**< GPU, processor, drives, unnamed figures */
    double cores_per_socket; /**< NAN: as the processor's row */
    double pcie_gen;         /**< of the host, NAN: not told */
    double nodes;
    double network_gbs;   /**< between nodes, one direction per node; NAN: not told */
    double power_limit_w; /**< of one GPU, where it is told; NAN: its TDP */
    bool is_bridged;      /**< NVLink bridges join the cards */
    double n_drives; /**< named without a rate, which a bound by type replaces; NAN: not told */
    bool is_nvme;    /**< those drives are NVMe drives, else SATA */
    rig_workload workload;
    rig_preparation preparation;
    double processes;           /**< training processes that take batches; CPU rows */
    double output_bytes;        /**< per element sent to the GPU; NAN: as the loader does */
    double demand_images_per_s; /**< STORAGE: what the emulated accelerators ask for; NAN: none */
} rig_measurement;

/** Rows left out, by reason and by what was named. */
typedef struct rig_skip {
    const char *reason;
    const char *name; /**< GPU, network ... that is not known; NULL: none */
    size_t count;
} rig_skip;

typedef struct rig_measurements {
    rig_measurement *rows;
    size_t n_rows;
    size_t n_read; /**< rows of the files, n_rows and the skipped ones */
    rig_skip *skips;
    size_t n_skips; /**< sorted by reason and name */
    void *arena;    /**< owner of all of it */
} rig_measurements;

/** Reads measurement files; each is recognised by its columns (docs/accuracy.md), others ignored.
 *
 *  Rows with `exclude`, rows whose notes say SUSPECT, and rows that name what the catalogue does
 *  not hold are skipped and counted.
 *  @param aliases_path  CSV table,label,name,cores,source: names of parts, networks, loaders and
 *                       stacks as the files print them; NULL: none
 *  @param catalog  borrowed: must outlive the set
 *  @param[out] out  NULL on failure; free with rig_measurements_free
 *  @return RIG_OK; RIG_E_IO, RIG_E_PARSE, RIG_E_RANGE, RIG_E_SCHEMA with file, line and column */
RIG_API RIG_NODISCARD rig_status rig_measurements_read(rig_measurements **out,
                                                       const rig_catalog *catalog,
                                                       const char *const *paths,
                                                       size_t n_paths,
                                                       const char *aliases_path,
                                                       rig_error *err);
RIG_API void rig_measurements_free(rig_measurements *measurements);

/** A measurement ready to be predicted with the tables of one catalogue. */
typedef struct rig_setup {
    rig_machine machine;
    rig_workload workload;
    const char *unsupported; /**< why the model cannot predict it; NULL: it can */
} rig_setup;

/** Machine and workload of a measurement, with the figures of catalog and constants: those it was
 *  read with, or the same with a profile. Rows are looked up by name.
 *  @param[out] out  filled whole; out->unsupported says why the row cannot be predicted
 *  @return RIG_OK; RIG_E_NOTFOUND if a row is not in the catalogue */
RIG_API RIG_NODISCARD rig_status rig_measurement_setup(const rig_measurement *measurement,
                                                       const rig_catalog *catalog,
                                                       const rig_constants *constants,
                                                       rig_setup *out,
                                                       rig_error *err);

/** Predicts what the measurement measured: the whole machine, or the part that the row is about.
 *  @param setup  filled for this measurement, without unsupported
 *  @return as rig_predict_machine   @thread safe, no allocation */
RIG_API RIG_NODISCARD rig_status rig_measurement_predict(const rig_measurement *measurement,
                                                         const rig_setup *setup,
                                                         const rig_constants *constants,
                                                         rig_prediction *out,
                                                         rig_error *err);

/* ---- errors ------------------------------------------------------------------------------- */

/** Error over a number of rows; NAN where there is none. */
typedef struct rig_score {
    size_t rows;
    double mape_frac;       /**< mean of |predicted / observed - 1| */
    double median_ape_frac; /**< median of the same */
    double p90_ape_frac;    /**< 90 % of the rows are off by at most this */
    double bias_frac;       /**< mean of ln(predicted / observed) */
    double coverage_frac;   /**< share of rows inside their 90 % interval */
    size_t binding_rows;    /**< rows that say which stages may bind */
    double binding_accuracy_frac;
} rig_score;

/** One row to be scored. */
typedef struct rig_error_row {
    double
        log_ratio; /**< ln(predicted / observed); NAN: the row is about the binding stage alone */
    bool is_covered;
    bool has_binding, is_binding_right;
} rig_error_row;

/** Error of rows. @param scratch  room for n_rows numbers   @thread safe, no allocation */
RIG_API void
rig_score_rows(const rig_error_row *rows, size_t n_rows, double *scratch, rig_score *out);

/** Were the constants fitted on rows of a group? */
typedef enum rig_fitted { RIG_FITTED_UNKNOWN, RIG_FITTED_NO, RIG_FITTED_YES } rig_fitted;

typedef struct rig_group_score {
    rig_group by;
    const char *name;
    rig_score score;
    rig_fitted fitted;
} rig_group_score;

/** Prediction and error of one measurement. */
typedef struct rig_residual {
    const rig_measurement *row;
    const char *unsupported; /**< why there is no prediction; NULL: there is one */
    double predicted_images_per_s, low_images_per_s, high_images_per_s;
    double log_ratio;
    double first_epoch_log_ratio; /**< ln(predicted / observed time); NAN: none observed */
    rig_stage binding;
    bool tells_binding; /**< the row says which stages bound, and binding is predicted; also where
                           the rate is not, since the run waited for a part that the row does not
                           name */
    bool is_covered;
    bool is_first_epoch_covered;
    double software_spread; /**< errors at the row's installation, as far as the fit has seen them,
                               over those at others; 1: not known */
    unsigned seen_groups; /**< bits 1 << rig_group: the fit of the fold used other rows of the row's
                             group. GPU, GENERATION and NETWORK with stacks of the same family; CPU,
                             CPU_FAMILY and LOADER in rows that measure preparation, or in ones
                             that do not. 0 without cross-validation */
} rig_residual;

typedef struct rig_validation {
    size_t n_read, n_used;
    const rig_skip *skips; /**< of the reading and of the prediction */
    size_t n_skips;
    rig_score score;       /**< over all rows used */
    rig_score first_epoch; /**< of the first epoch of systems whose first epoch is much slower */
    rig_group_score *groups;
    size_t n_groups; /**< sorted by group, then by rows, then by name */
    rig_residual *residuals;
    size_t n_residuals;   /**< one per measurement */
    const char *left_out; /**< what was left out of the fit in turn; NULL: nothing was refitted */
    size_t n_folds;
    void *arena;
} rig_validation;

/** Predicts every row and scores the errors.
 *  @param profile  the one that catalog came from, for what was fitted; may be NULL
 *  @param measurements  borrowed: must outlive the result
 *  @param[out] out  NULL on failure; free with rig_validation_free */
RIG_API RIG_NODISCARD rig_status rig_validate(rig_validation **out,
                                              const rig_measurements *measurements,
                                              const rig_catalog *catalog,
                                              const rig_constants *constants,
                                              const rig_profile *profile,
                                              rig_error *err);
RIG_API void rig_validation_free(rig_validation *validation);

/* ---- cross-validation --------------------------------------------------------------------- */

/** What a fit may look at. Rows with is_held_out must not be used. */
typedef struct rig_fit_task {
    const rig_measurements *measurements;
    const bool *is_held_out;
    const rig_catalog *catalog; /**< with the figures to start from */
    const char *held_out;       /**< name of the group held out, NULL: none */
} rig_fit_task;

/** Fits constants to rows: adds entries to an empty profile. */
typedef rig_status (*rig_fit)(const rig_fit_task *task,
                              rig_profile *profile,
                              void *payload,
                              rig_error *err);

/** Fits nothing: the figures of the catalogue. */
RIG_API RIG_NODISCARD rig_status rig_fit_nothing(const rig_fit_task *task,
                                                 rig_profile *profile,
                                                 void *payload,
                                                 rig_error *err);
/** One step factor per software stack, from rows that training limits. */
RIG_API RIG_NODISCARD rig_status rig_fit_stacks(const rig_fit_task *task,
                                                rig_profile *profile,
                                                void *payload,
                                                rig_error *err);

/** How constants are fitted. */
typedef struct rig_calibration {
    const char *priors_path; /**< CSV table,name,scale,mean,sd,source: what is fitted, from where */
    bool is_from_priors; /**< start from the priors, as the shipped figures were made; else from the
                            figures of the catalogue, with their log_sd, as a user's own rows are */
    bool is_quick;       /**< keep the variances of the effects (folds of a cross-validation) */
} rig_calibration;

/** Fits constants, factors of stacks and effects to rows: maximum a posteriori in ln(rate).
 *
 *  Minimises sum_i w_i ((ln y_i - f_i(theta, u)) / s_i)^2 + sum_k ((theta_k - m_k) / sd_k)^2
 *  + sum_l u_l^2 / tau_l^2, with Student-t weights w_i, noise s_i by source, and variances tau_l^2
 *  of the effects by expectation-maximisation; f is the model's slowest stage, so that a stage that
 *  does not bind only bounds. Deterministic: no random start.
 *  @param payload  a const rig_calibration
 *  @return RIG_OK; RIG_E_IO, RIG_E_SCHEMA for the priors; RIG_E_INVALID if no row can be used
 *  @thread safe: switches off GSL's error handler while any fit runs */
RIG_API RIG_NODISCARD rig_status rig_fit_model(const rig_fit_task *task,
                                               rig_profile *profile,
                                               void *payload,
                                               rig_error *err);
/** Writes a profile as CSV, as rig_profile_read takes it, rows sorted by table and name.
 *  @param sink  receives the text piece by piece */
RIG_API RIG_NODISCARD rig_status rig_profile_write(const rig_profile *profile,
                                                   rig_text_sink sink,
                                                   void *payload,
                                                   rig_error *err);

/** How rows are held out. */
typedef struct rig_cross_options {
    rig_group key; /**< what is held out together; not RIG_GROUP_STAGE */
    rig_fit fit;
    void *payload;      /**< of fit */
    size_t n_folds;     /**< groups are held out together, by a hash of their names, in at most so
                           many fits; 0: each group by itself */
    size_t n_anchors;   /**< rows of each group that are known all the same and not scored, as those
                           of a user who has measured so many: of the group's most common precision
                           and kind of network; 0: none */
    rig_fit anchor_fit; /**< fits the anchors of one group, starting from what the others gave, and
                           is used for that group alone; NULL: the anchors go with the others */
    void *anchor_payload;
} rig_cross_options;

/** Holds out groups in turn, fits the rest and predicts what was held out.
 *
 *  Rows that do not name the key take part in every fit and are not scored.
 *  @param[out] out  every residual is that of the fold that held the row out; its interval is that
 *                   of what this fold had seen
 *  @return as rig_validate, or what fit returned; RIG_E_INVALID for STAGE */
RIG_API RIG_NODISCARD rig_status rig_cross_validate_with(rig_validation **out,
                                                         const rig_measurements *measurements,
                                                         const rig_catalog *catalog,
                                                         const rig_cross_options *options,
                                                         rig_error *err);
/** The same, each group by itself, without anchors. */
RIG_API RIG_NODISCARD rig_status rig_cross_validate(rig_validation **out,
                                                    const rig_measurements *measurements,
                                                    const rig_catalog *catalog,
                                                    rig_group key,
                                                    rig_fit fit,
                                                    void *payload,
                                                    rig_error *err);

/** Cross-validations of the same measurements, by what was left out; NULL: not made. */
typedef struct rig_folds {
    const rig_validation *left_out[RIG_N_GROUPS];
    const rig_validation *anchored_source; /**< SOURCE left out but for one anchor each */
} rig_folds;

/* What the model is held to: enumerator, word, what is scored, key left out, largest error. */
/* clang-format off */
#define RIG_TARGET_MAP(X) \
    X(SYSTEM_KNOWN,    "system-known",    "complete systems of one node, GPU and network known",     SYSTEM,     0.025) \
    X(SYSTEM_GPU_NEW,  "system-gpu-new",  "complete systems of one node, GPU never seen",            GPU,        0.08) \
    X(SYSTEM_NODES,    "system-nodes",    "complete systems of several nodes",                       SYSTEM,     0.08) \
    X(FIRST_EPOCH,     "first-epoch",     "time of slow first epochs",                               SUBMITTER,  0.25) \
    X(GPU_KNOWN,       "gpu-known",       "training rates, GPU and network known",                   SYSTEM,     0.08) \
    X(GPU_NEW,         "gpu-new",         "training rates, GPU never seen",                          GPU,        0.12) \
    X(SOURCE_NEW,      "source-new",      "training rates, source never seen",                       SOURCE,     0.15) \
    X(SOURCE_ANCHORED, "source-anchored", "training rates, one row of the source known",             SOURCE,     0.08) \
    X(SCALING,         "scaling",         "rate of 8 GPUs over that of one",                         SYSTEM,     0.06) \
    X(CPU_KNOWN,       "cpu-known",       "preparation rates, processor and loader known",           SYSTEM,     0.06) \
    X(CPU_FAMILY_NEW,  "cpu-family-new",  "preparation rates, processor family never seen",          CPU_FAMILY, 0.12) \
    X(LOADER_SCALING,  "loader-scaling",  "preparation rate of more workers over that of fewest",    CPU,        0.08) \
    X(STORAGE,         "storage",         "reading rates",                                           SOURCE,     0.12) \
    X(BINDING,         "binding",         "rows that tell whose predicted binding stage is wrong",   SYSTEM,     0.10) \
    X(CHOICE_MEAN,     "choice-mean",     "rate lost by choosing a machine by the model, mean",      SYSTEM,     0.02) \
    X(CHOICE_WORST,    "choice-worst",    "rate lost by choosing a machine by the model, worst",     SYSTEM,     0.08)
/* clang-format on */

typedef enum rig_target {
#define RIG_TARGET_ENUM(enumerator, word, text, key, limit) RIG_TARGET_##enumerator,
    RIG_TARGET_MAP(RIG_TARGET_ENUM)
#undef RIG_TARGET_ENUM
        RIG_N_TARGETS
} rig_target;

/** One target and how far it is met. */
typedef struct rig_target_score {
    const char *name, *what;
    const char *left_out; /**< key of the cross-validation */
    size_t rows;          /**< rows, pairs of rows or groups of systems; 0: nothing to score */
    double value_frac;    /**< mean absolute percentage error, or what the target says */
    double limit_frac;    /**< value_frac must not exceed it */
    double bias_frac;     /**< mean of ln(predicted / observed), NAN where it has no meaning */
    double
        trivial_frac; /**< value_frac of who always answers the same, NAN where it has no meaning */
    bool is_met;      /**< false as well if nothing was scored */
    bool is_bias_met; /**< within 2 %, or without meaning */
} rig_target_score;

/** Coverage of the 90 % intervals over the groups of one cross-validation. */
typedef struct rig_coverage {
    size_t groups;  /**< of 20 rows or more */
    size_t n_right; /**< of these, covered by 85 to 95 % */
    double least_frac, most_frac;
    const char *least_name, *most_name; /**< NULL: no group */
} rig_coverage;

/** Scores all targets on cross-validations of one set of measurements.
 *  @return RIG_OK; RIG_E_NOMEM; RIG_E_INVALID if they are of different sets   @thread safe */
RIG_API RIG_NODISCARD rig_status rig_targets_score(const rig_folds *folds,
                                                   rig_target_score out[RIG_N_TARGETS],
                                                   rig_error *err);
/** Coverage over the groups by one key. @thread safe, no allocation */
RIG_API rig_coverage rig_coverage_by(const rig_validation *validation, rig_group by);

/** Half-widths of all classes of intervals.csv from cross-validations: entries of INTERVALS.
 *
 *  Each residual belongs to the class that its fold had (seen_groups); 20 rows or more of a class
 *  give the split-conformal 90 % width; a class of fewer combines the widths of the single
 *  novelties, w^2 = w_0^2 + sum (w_a^2 - w_0^2). No class is narrower than one that is better
 *  known. FITTED entries of sources and submitters get the spread of their errors over that of all
 *  as their value; the interval of such an installation is as much wider.
 *  @param profile  receives the entries
 *  @return RIG_OK; RIG_E_NOMEM; RIG_E_INVALID if the validations are of different sets */
RIG_API RIG_NODISCARD rig_status rig_fit_intervals(const rig_folds *folds,
                                                   rig_profile *profile,
                                                   rig_error *err);

/* ---- intervals from residuals ------------------------------------------------------------- */

/** No parent: the root of the groups. */
#define RIG_NO_PARENT ((size_t)-1)

/** Half-width of an interval of one group. */
typedef struct rig_conformal_width {
    size_t rows;       /**< calibration rows behind it */
    size_t level;      /**< 0: the group's own; n: taken from its n-th ancestor */
    double half_width; /**< of ln(rate), times the scale; INFINITY: too few rows anywhere */
} rig_conformal_width;

/** Split-conformal half-widths by group (Mondrian), each from its ancestor where it is too small.
 *
 *  half_width = the ceil((n + 1) * coverage)-th smallest of |residual| / scale of the group's n
 *  rows, descendants included, so that a new row of the group is covered with at least that
 *  probability if it is exchangeable with them.
 *  @param residuals  ln(predicted / observed) of rows that were not fitted
 *  @param scales     spread that the model itself expects of each row; NULL: 1
 *  @param groups     group of each row
 *  @param parents    parent of each group, RIG_NO_PARENT for a root; no cycles
 *  @param rows_min   fewer rows than this make a group fall back
 *  @param scratch    room for n_rows numbers
 *  @param[out] out   n_groups widths
 *  @return RIG_OK; RIG_E_RANGE (coverage outside (0, 1), a group or parent that is none, a cycle)
 *  @thread safe, no allocation   @source Vovk, Gammerman, Shafer: Algorithmic Learning in a Random
 *  World, 2005, section 4.5 */
RIG_API RIG_NODISCARD rig_status rig_conformal_widths(const double *residuals,
                                                      const double *scales,
                                                      const size_t *groups,
                                                      size_t n_rows,
                                                      const size_t *parents,
                                                      size_t n_groups,
                                                      double coverage,
                                                      size_t rows_min,
                                                      double *scratch,
                                                      rig_conformal_width *out,
                                                      rig_error *err);

#ifdef __cplusplus
}
#endif
#endif
