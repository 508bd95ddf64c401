/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures and sentences that every format takes from a result. */
#ifndef RIG_REPORT_FIGURES_H
#define RIG_REPORT_FIGURES_H

#include "report/output.h"

/** What a price does not hold; every format for people says it. */
#define RIG__REPORT_NOT_INCLUDED "CPU cooler, cables, tax, shipping, operating system"

/** Place in the list: the rank, or for predictions the order of the input, from 1. */
int rig__report_place(const rig_result *result, size_t index);

/** Dollars of an amount in cents, NAN when unknown. */
double rig__report_usd(int64_t cents);
/** Dollars of a limit, NAN when there is none. */
double rig__report_budget_usd(const rig_request *request);
/** A kind of part as it is bought: its count is that of all nodes together. */
rig_part_use rig__report_bought(const rig_build *build, size_t table);
/** "2 nodes of " in front of what each node holds, "" for one machine. */
const char *rig__report_nodes(rig__output *output, const rig_build *build);
/** How the nodes are joined, as a sentence; "" for one machine. */
const char *rig__report_network(rig__output *output, const rig_build_report *report);
/** Price of a line of a build in cents: 0 when owned, -1 when unknown. */
int64_t rig__report_line_cents(const rig_part_use *use);

const char *rig__report_trust(rig_trust trust);
/** Outcome in one word for machines; "predicted" for predictions. */
const char *rig__report_status(const rig_result *result, bool is_prediction);
/** Oldest known date among the prices that count; NULL: none is known. */
const char *rig__report_oldest_date(const rig_build *build);
/** Lowest trust among the prices that count; NULL: nothing is priced. */
const char *rig__report_lowest_trust(const rig_build *build);
/** Warnings that every one of several predicted builds has, to be said once; none otherwise. */
rig_texts
rig__report_shared_warnings(rig__output *output, const rig_result *result, bool is_prediction);
/** Warnings about one build without those. */
rig_texts rig__report_own_warnings(rig__output *output,
                                   const rig_result *result,
                                   size_t index,
                                   bool is_prediction);
/** Warnings about a build and about the whole answer, joined with "; ". */
const char *
rig__report_warnings(rig__output *output, const rig_result *result, const rig_build_report *report);

/** Hash of the catalogue, 16 hexadecimal digits; it has more bits than a number of JSON. */
const char *rig__report_hash(rig__output *output, const rig_result *result);
/** Is a column shown as text? Dates are. */
bool rig__report_is_text(const rig_column *column);

/* Texts for people, all in the arena of the report. */
const char *rig__report_amount(rig__output *output, int64_t cents); /**< "1,234.50" or "unknown" */
const char *rig__report_money(rig__output *output, int64_t cents);  /**< "USD 1,234.50" */
const char *rig__report_number(rig__output *output, double value);
/** "1 epoch", "2 epochs"; the plural of the noun takes an s. */
const char *rig__report_count(rig__output *output, double count, const char *noun);
/** "each part", or "each part of each of 4 nodes". */
const char *rig__report_each_part(rig__output *output, const rig_requirements *requirements);
/** What a part must deliver with its unit, or why there is no figure. */
const char *rig__report_need(rig__output *output, double need, const char *unit);
const char *rig__report_exact(rig__output *output, double value); /**< all digits */
const char *rig__report_duration(rig__output *output, double seconds_s);
const char *rig__report_percent(rig__output *output, double frac); /**< "12 %", "1.3 %" */
/** "2 x NAME", or just the name for one. */
const char *rig__report_uses(rig__output *output, const rig_part_use *use, rig__clean clean);
/** The GPUs of a build in words, also those inside a server or on a baseboard. is_short leaves out
 *  the maker, without which the catalogue finds the part as well. */
const char *
rig__report_gpus(rig__output *output, const rig_build *build, rig__clean clean, bool is_short);
const char *
rig__report_cpus(rig__output *output, const rig_build *build, rig__clean clean, bool is_short);
/** What the result is: "Fastest build within USD 12,000.00 for resnet50-imagenet". */
const char *rig__report_title(rig__output *output, const rig_result *result, bool is_prediction);
/** "Frontier from USD 3,000.00 to 60,000.00 for resnet50-imagenet". */
const char *
rig__report_frontier_title(rig__output *output, const rig_result *result, int64_t from_cents);
/** Whether every point of a frontier is there, as a sentence. */
const char *rig__report_frontier_proof(rig__output *output, const rig_result *result);
/** Classes of the parts, other than GPUs, in which a build differs from the one before it, as "cpu,
 *  psu"; "" for the first. */
const char *rig__report_changes(rig__output *output, const rig_result *result, size_t index);
/** What changes from the build before and what that buys, as "gpu, psu; +1,000 images/s for USD
 *  1,000.00 more"; "" for the first. */
const char *rig__report_step(rig__output *output, const rig_result *result, size_t index);
/** Images/s that each dollar more bought over the build before, NAN for the first. */
double rig__report_gain_per_usd(const rig_result *result, size_t index);
/** "proved optimal", or the bound and the gap. */
const char *rig__report_proof(rig__output *output, const rig_result *result);
/** Rate with its interval. */
const char *rig__report_rate(rig__output *output, const rig_prediction *prediction);
/** The rate if the parts that are not named are poor, which stage binds then, and what was taken
 * for them; "" if every stage is known. */
const char *rig__report_at_worst(rig__output *output, const rig_build_report *report);
const char *rig__report_epoch(rig__output *output, const rig_prediction *prediction, int epochs);
/** Network, batch, precision, loader and stack. */
const char *rig__report_training(rig__output *output,
                                 const rig_workload *workload,
                                 const rig_prediction *prediction);
const char *rig__report_power(rig__output *output, const rig_build_report *report);
const char *rig__report_cost(rig__output *output, const rig_build_report *report);
/** Preparation against training, as a sentence. */
const char *rig__report_balance(rig__output *output, const rig_prediction *prediction);
/** Total and head-room in the budget. */
const char *
rig__report_total(rig__output *output, const rig_result *result, const rig_build_report *report);
/** A remark on one stage: it binds, in which epochs, and in the first at what rate; "" for none. */
const char *rig__report_stage_remark(rig__output *output,
                                     const rig_workload *workload,
                                     const rig_prediction *prediction,
                                     rig_stage stage);
/** Probability of an event, as "87 %", "<1 %", ">99 %"; "" for none, as of a stage that another
 *  one contains. */
const char *rig__report_probability(rig__output *output, double probability);
/** Probability that the binding stage is the slowest; NAN if no stage limits. */
double rig__report_binding_probability(const rig_prediction *prediction);
/** Rate of a stage, "no limit" or "unknown". */
const char *rig__report_stage_rate(rig__output *output, const rig_stage_rate *rate);

/** Said below requirements: what the rows do not say together. */
#define RIG__REPORT_ROWS_APART "each row by itself: parts of different rows need not fit together"

#endif
