/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds and requests: check a build, predict it, recommend the best one with proof. */
#ifndef RIG_OPTIMIZER_H
#define RIG_OPTIMIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainrig/catalog.h"
#include "trainrig/model.h"
#include "trainrig/solver.h"
#include "trainrig/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- builds ------------------------------------------------------------------------------- */

/** Part classes a build may hold: the tables CPU .. SWITCH, so a rig_table below indexes parts[].
 */
#define RIG_N_BUILD_CLASSES ((size_t)RIG_TABLE_SWITCH + 1)

/** One kind of part in a build. row NULL and count 0: none. memory counts kits, psu counts units.
 */
typedef struct rig_part_use {
    const rig_row *row;
    int count;
    bool is_owned; /**< already there: adds nothing to the price */
} rig_part_use;

/** Hardware that is known by its figures, not by a catalogue name. NAN: not given. */
typedef struct rig_unnamed {
    double cores;      /**< physical cores, whole machine; used when no CPU is named */
    double core_speed; /**< relative speed of such a core; NAN: constant unnamed_core_speed */
    double ram_gb;     /**< memory (2^30 B), used when no memory kit is named */
    double drive_gbs;  /**< read bandwidth [GB/s], used when no drive is named */
    double drive_iops; /**< random reads [1/s] */
    double workers;    /**< loader workers, overrides the workload */
} rig_unnamed;

/** Most nodes of a cluster that is planned or predicted. */
#define RIG_MAX_NODES 64

/** A machine, or several equal ones, as a list of parts. Rows are borrowed from the catalogue. */
typedef struct rig_build {
    /** [RIG_TABLE_CPU] ...; counts of one node, but of [RIG_TABLE_SWITCH] for all nodes together */
    rig_part_use parts[RIG_N_BUILD_CLASSES];
    int nodes; /**< identical nodes, each with these parts; 0 or 1: one machine */
    rig_unnamed unnamed;
} rig_build;

/** Empty build: one node, no parts, nothing unnamed. */
RIG_API rig_build rig_build_empty(void);

/** Nodes of a build, at least 1. */
RIG_API int rig_build_nodes(const rig_build *build);
/** Units of one kind of part in all nodes together: what is bought. */
RIG_API int rig_build_count(const rig_build *build, rig_table table);

/** Adds what a person writes, as in "NVIDIA GeForce RTX 4090 x2" or "rtx 4090": the part of that
 *  table by rig_catalog_find, count after a final " xN" (default 1, range 1..1024).
 *  @return RIG_OK; RIG_E_NOTFOUND, RIG_E_INVALID, RIG_E_RANGE with a hint in err */
RIG_API RIG_NODISCARD rig_status rig_build_set(rig_build *build,
                                               const rig_catalog *catalog,
                                               rig_table table,
                                               const char *text,
                                               rig_error *err);

/** Sum of count x price of parts not owned, of all nodes, in cents; -1 if a part has no price. A
 * build with a server holds its CPU, GPU, memory and drives: these are then not listed in parts[].
 */
RIG_API int64_t rig_build_price_cents(const rig_build *build);

/** Physical totals of one node of a build, NAN where unknown; then those of all. */
typedef struct rig_build_totals {
    double peak_w;   /**< sum of thermal design powers, without head-room */
    double supply_w; /**< rating of the supplies */
    double rack_u, gpu_count, gpu_mem_gb, cpu_cores, ram_gb, storage_gb, pcie_lanes_spare;
    double nodes;
    double all_peak_w, all_rack_u; /**< all nodes and switches */
    double network_gbs; /**< between nodes, of each in one direction [GB/s]; NAN: none or unknown */
    double network_ports; /**< joined ports of each node; 0: none */
} rig_build_totals;
RIG_API void rig_build_totals_get(const rig_build *build,
                                  const rig_catalog *catalog,
                                  const rig_constants *constants,
                                  rig_build_totals *out);

/** One reason why parts do not go together. */
typedef struct rig_violation {
    const char *rule;  /**< socket, cpu-family, memory-type, dimm-slots, gpu-slots, supply ... */
    char message[384]; /**< with the names and figures of both sides */
} rig_violation;

/** Checks every physical rule on a build; shares no code with the integer program.
 *
 *  Rules about parts that are absent are skipped, so a partial build can be checked too; with
 *  is_complete a machine that could not run (no board, no supply ...) is a violation as well.
 *  @param[out] out  the first cap violations; may be NULL when cap is 0
 *  @return number of violations, 0: all rules hold   @thread safe, no allocation */
RIG_API size_t rig_build_check(const rig_build *build,
                               const rig_catalog *catalog,
                               const rig_constants *constants,
                               bool is_complete,
                               rig_violation *out,
                               size_t cap);

/** Texts about a result: what was bounded, is stale, or lies outside the calibrated range. */
typedef struct rig_texts {
    const char **items; /**< owned by the result */
    size_t count;
} rig_texts;

/** A build with everything that is reported about it. */
typedef struct rig_build_report {
    int rank; /**< 1 is best; 0 outside a ranking */
    rig_build build;
    int64_t price_cents;       /**< -1: a part has no price */
    rig_prediction prediction; /**< parts that are not named limit nothing */
    rig_prediction at_worst;   /**< with parts that are not named at their plausible worst; its rate
                                  is   NAN when every stage is known */
    rig_texts worst_parts;     /**< what is not named, and what it is at worst */
    rig_build_totals totals;
    double cost_per_epoch_usd; /**< NAN when the price is unknown */
    rig_texts warnings;
    const char *comment; /**< why it stands in the list, may be NULL */
} rig_build_report;

/** Hardware of a build as the model sees it; unknown figures are bounded from below where a
 *  constant allows it and said in warnings (may be NULL: dropped).
 *  @return RIG_OK; RIG_E_INVALID if the build names no GPU */
typedef void (*rig_text_sink)(const char *text, void *payload);
RIG_API RIG_NODISCARD rig_status rig_build_machine(const rig_build *build,
                                                   const rig_catalog *catalog,
                                                   const rig_constants *constants,
                                                   const rig_workload *workload,
                                                   rig_machine *out,
                                                   rig_text_sink warn,
                                                   void *payload,
                                                   rig_error *err);

/* ---- requests ----------------------------------------------------------------------------- */

typedef enum rig_objective {
    RIG_OBJECTIVE_EPOCH_TIME,       /**< fastest within the budget, then cheapest */
    RIG_OBJECTIVE_PRICE,            /**< cheapest within epoch_time_max_s */
    RIG_OBJECTIVE_COST_PER_EPOCH,   /**< least capital + electricity per epoch */
    RIG_OBJECTIVE_IMAGES_PER_DOLLAR /**< most images/s per dollar of purchase price */
} rig_objective;
RIG_API RIG_NODISCARD rig_status rig_objective_parse(const char *text,
                                                     rig_objective *out,
                                                     rig_error *err);
RIG_API const char *rig_objective_name(rig_objective objective);

typedef enum rig_condition_kind {
    RIG_CONDITION_REQUIRE, /**< "gpu.mem_gb >= 24": options of that class that fail are dropped */
    RIG_CONDITION_FORBID,  /**< "cpu.vendor = Intel": options that match are dropped */
    RIG_CONDITION_LIMIT,   /**< "power_w <= 1600": bound on a total of the build */
    RIG_CONDITION_FIX,     /**< "gpu = NVIDIA GeForce RTX 4090 x2": exactly this */
    RIG_CONDITION_OWN      /**< same, at price 0 */
} rig_condition_kind;

typedef enum rig_comparison { RIG_LT, RIG_LE, RIG_EQ, RIG_NE, RIG_GE, RIG_GT } rig_comparison;

/** Totals that a limit may bound; see rig_build_totals. */
#define RIG_TOTAL_MAP(X)                                                                           \
    X(POWER_W, "power_w") /* peak, without head-room */                                            \
    X(RACK_U, "rack_u")   /* unknown height fails the limit */                                     \
    X(PRICE_USD, "price_usd")                                                                      \
    X(GPU_COUNT, "gpu_count")                                                                      \
    X(GPU_MEM_GB, "gpu_mem_gb") /* all GPUs together */                                            \
    X(CPU_CORES, "cpu_cores")                                                                      \
    X(RAM_GB, "ram_gb")                                                                            \
    X(STORAGE_GB, "storage_gb")
typedef enum rig_total {
#define RIG_TOTAL_ENUM(enumerator, text) RIG_TOTAL_##enumerator,
    RIG_TOTAL_MAP(RIG_TOTAL_ENUM)
#undef RIG_TOTAL_ENUM
        RIG_N_TOTALS
} rig_total;

/** One user condition, parsed. An unknown value never satisfies a comparison. */
typedef struct rig_condition {
    rig_condition_kind kind;
    char text[256];           /**< as written, for messages */
    rig_table table;          /**< REQUIRE, FORBID, FIX, OWN */
    const rig_column *column; /**< REQUIRE, FORBID; NULL with column_is_name: the part's name */
    bool column_is_name, column_is_count;
    rig_total total; /**< LIMIT */
    bool is_of_all;  /**< LIMIT: on all nodes and switches together, not on each node */
    rig_comparison comparison;
    double number;      /**< right side, when the column is a number */
    char value[192];    /**< right side, when it is text; '=' ignores case, '*' matches any run */
    const rig_row *row; /**< FIX, OWN */
    int count;
} rig_condition;

/** Parses one condition of a kind.
 *  LIMIT also accepts >=. @return RIG_OK; RIG_E_PARSE, RIG_E_NOTFOUND (hint names the nearest) */
RIG_API RIG_NODISCARD rig_status rig_condition_parse(const rig_catalog *catalog,
                                                     rig_condition_kind kind,
                                                     const char *text,
                                                     rig_condition *out,
                                                     rig_error *err);

/** Does an option (a part of the condition's table, so many of them) pass a REQUIRE, FORBID, FIX or
 *  OWN condition? Conditions on other tables pass. */
RIG_API bool rig_condition_allows(const rig_condition *condition, const rig_row *row, int count);

/** Value of a total of one node of a build, NAN: unknown; the price is of all nodes. */
RIG_API double
rig_total_value(rig_total total, const rig_build_totals *totals, int64_t price_cents);
/** What a LIMIT condition bounds: the same, or that of all nodes and switches. */
RIG_API double rig_condition_total(const rig_condition *condition,
                                   const rig_build_totals *totals,
                                   int64_t price_cents);
RIG_API const char *rig_total_name(rig_total total);

/** Which parts make two builds of a shortlist different. */
typedef enum rig_distinct {
    RIG_DISTINCT_GPU, /**< GPU model and count (default) */
    RIG_DISTINCT_CPU, /**< also CPU model and count */
    RIG_DISTINCT_HOST /**< also board or server */
} rig_distinct;

typedef struct rig_request {
    rig_workload workload;
    int64_t budget_cents; /**< INT64_MAX: none */
    rig_objective objective;
    double epoch_time_max_s; /**< INFINITY: none */
    const rig_condition *conditions;
    size_t n_conditions;
    size_t top; /**< builds wanted, 1..100 */
    rig_distinct distinct;
    rig_economics economics;
    const char *solver;          /**< "auto", "glpk", "exhaustive" */
    double gap_frac;             /**< accepted gap, default 0 */
    double time_limit_s;         /**< INFINITY: none */
    double circuit_w;            /**< mains circuit of each node, NAN: not checked */
    int nodes_least, nodes_most; /**< identical nodes, 1..RIG_MAX_NODES; default 1 and 1 */
    bool is_sharded; /**< each node stores and reads its part of the data set; false: all of it */
    bool allow_unmeasured;               /**< also offer GPUs whose maker has no measurement */
    int32_t today_ymd;                   /**< for stale prices; 0: not checked */
    bool (*is_cancelled)(void *payload); /**< may be NULL */
    void *payload;
} rig_request;
RIG_API rig_request rig_request_default(void);

/** Proof of a result. */
typedef struct rig_proof {
    const char *method;           /**< in words, static */
    double bound_images_per_s;    /**< no allowed build is faster than this */
    double gap_frac;              /**< (bound - found) / found of the objective, 0 when optimal */
    int64_t n_options, n_reduced; /**< options before and after reduction */
    int64_t n_evaluated;          /**< combinations priced and rated */
    int64_t n_solver_calls, n_solver_nodes;
} rig_proof;

/** One member of the smallest set of conditions that cannot hold together. */
typedef struct rig_conflict {
    const char *condition; /**< as the user wrote it, or "budget", "workload" ... */
    const char *detail;    /**< what alone would have to change, and to what */
} rig_conflict;

typedef struct rig_result {
    rig_outcome outcome;
    rig_proof proof;
    rig_request request; /**< as understood; conditions borrowed from the caller */
    rig_build_report *builds;
    size_t n_builds;
    rig_texts warnings;     /**< about the whole answer */
    rig_texts assumptions;  /**< that matter most */
    rig_texts reasons;      /**< why this build and not the obvious alternatives */
    rig_conflict *conflict; /**< INFEASIBLE */
    size_t n_conflict;
    bool is_conflict_minimal;
    int64_t least_budget_cents; /**< INFEASIBLE: least budget that works, -1: none does */
    uint64_t catalog_hash;
    void *arena; /**< owner of all of it */
} rig_result;

/** The best builds for a request, with proof; an infeasible request is RIG_OK with a conflict.
 *  @param[out] out  NULL on failure; free with rig_result_free
 *  @return RIG_OK; RIG_E_INVALID (request out of range), RIG_E_NOMEM, RIG_E_SOLVER
 *  Deterministic: same catalogue rows in any order and same request give the same answer. */
RIG_API RIG_NODISCARD rig_status rig_recommend(rig_result **out,
                                               const rig_catalog *catalog,
                                               const rig_constants *constants,
                                               const rig_request *request,
                                               rig_error *err);

/** Every non-dominated build between two budgets, cheapest first: none of the same price or less is
 *  faster. builds[i].comment says what changes from the one before and what that buys.
 *
 *  request gives workload, conditions and economics; its budget, objective and top are not used.
 *  @return RIG_OK; outcome INFEASIBLE and no build when there is none; RIG_E_INVALID (from above
 *          to), RIG_E_NOMEM, RIG_E_SOLVER */
RIG_API RIG_NODISCARD rig_status rig_frontier(rig_result **out,
                                              const rig_catalog *catalog,
                                              const rig_constants *constants,
                                              const rig_request *request,
                                              int64_t from_cents,
                                              int64_t to_cents,
                                              rig_error *err);

/** Reports on given builds: prices, prediction, warnings. Builds are not checked for fit.
 *  request gives workload, economics and date only. */
RIG_API RIG_NODISCARD rig_status rig_predict(rig_result **out,
                                             const rig_catalog *catalog,
                                             const rig_constants *constants,
                                             const rig_request *request,
                                             const rig_build *builds,
                                             size_t n_builds,
                                             rig_error *err);
RIG_API void rig_result_free(rig_result *result);

/* ---- what each part must deliver ------------------------------------------------------------ */

/** Requirement on one kind of part, with the cheapest part that meets it. */
typedef struct rig_requirement {
    rig_stage stage;
    const char *what;        /**< "CPU cores at the reference speed", "storage read" ... static */
    const char *unit;        /**< static */
    double need;             /**< to sustain the target; NAN unknown, INFINITY cannot be met */
    double need_first_epoch; /**< storage: without a page cache; NAN elsewhere */
    rig_part_use cheapest;   /**< row NULL: none in the catalogue does */
    int64_t price_cents;     /**< of it, -1 unknown */
    const char *comment;     /**< may be NULL */
} rig_requirement;

typedef struct rig_requirements {
    int nodes;                  /**< the items are of each of so many equal nodes */
    double target_images_per_s; /**< all nodes together */
    double epoch_s;
    rig_requirement *items;
    size_t n_items;
    rig_texts warnings;
    void *arena;
} rig_requirements;

/** What each part must deliver so that preparation and training take equal time.
 *
 *  The target is images_per_s, or, when that is NAN, the rate at which the GPU of `build` (with its
 *  count) trains: "keep these GPUs busy". Other parts named in the build are taken as given. */
RIG_API RIG_NODISCARD rig_status rig_require(rig_requirements **out,
                                             const rig_catalog *catalog,
                                             const rig_constants *constants,
                                             const rig_request *request,
                                             const rig_build *build,
                                             double images_per_s,
                                             rig_error *err);
RIG_API void rig_requirements_free(rig_requirements *requirements);

#ifdef __cplusplus
}
#endif
#endif
