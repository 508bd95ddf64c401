/* SPDX-License-Identifier: GPL-3.0-or-later
 * The one list of options, verbs, groups and exit codes: parser, help, man page and completion are
 * all generated from it, so they cannot drift. */
#ifndef RIG_CLI_OPTION_TABLE_H
#define RIG_CLI_OPTION_TABLE_H

/* Verbs: enumerator, letter in the option table, name, arguments, summary. */
/* clang-format off */
#define CLI_VERB_MAP(X) \
    X(RECOMMEND,  "recommend",  "",                     "the best builds for a budget, with proof") \
    X(FRONTIER,   "frontier",   "",                     "every build worth its price between two budgets") \
    X(SWEEP,      "sweep",      "SCENARIOS.csv",        "recommend for every row of a file, over threads and machines") \
    X(COMPARE,    "compare",    "[BUILDS.csv | -]",     "cost of machines to buy, owned and rented, and when owning pays") \
    X(EXPORT,     "export",     "",                     "the integer program of a request for other solvers, and their answers back") \
    X(PREDICT,    "predict",    "[BUILDS.csv | -]",     "epoch time of given builds, stage by stage") \
    X(REQUIRE,    "require",    "",                     "what each part must deliver for a target rate") \
    X(VALIDATE,   "validate",   "[FILE]...",            "error of the model on measurements, by group") \
    X(CALIBRATE,  "calibrate",  "[FILE]...",            "fit the model to your measurements and write a profile") \
    X(CATALOG,    "catalog",    "list CLASS | show NAME | check [DIR]... | import DIR...", "look at, filter, validate and convert part lists") \
    X(HELP,       "help",       "[VERB | TOPIC]",       "help on a verb or on exit-codes, catalog, units, conditions, config") \
    X(COMPLETION, "completion", "bash | zsh | fish",    "print a shell completion script")

/* Groups of options: enumerator, heading. */
#define CLI_GROUP_MAP(X) \
    X(WORKLOAD,  "What is trained:") \
    X(BUILD,     "The machine:") \
    X(TARGET,    "The target:") \
    X(CHOICE,    "What to choose:") \
    X(RIVALS,    "What to compare with:") \
    X(CATALOG,   "Parts and prices:") \
    X(GROUPS,    "Measurements:") \
    X(ECONOMICS, "Running costs:") \
    X(SOLVER,    "The search:") \
    X(OUTPUT,    "Output:") \
    X(GENERAL,   "General:")

/* Sets of verbs that an option applies to. */
#define CLI_R (1u << VERB_RECOMMEND)
#define CLI_S (1u << VERB_SWEEP)
#define CLI_RS (CLI_R | CLI_S) /* asks for the best builds */
#define CLI_F (1u << VERB_FRONTIER)
#define CLI_P (1u << VERB_PREDICT)
#define CLI_X (1u << VERB_COMPARE)
#define CLI_Q (1u << VERB_REQUIRE)
#define CLI_E (1u << VERB_EXPORT)
#define CLI_C (1u << VERB_CATALOG)
#define CLI_V (1u << VERB_VALIDATE)
#define CLI_K (1u << VERB_CALIBRATE)
#define CLI_VK (CLI_V | CLI_K)
#define CLI_ALL ((1u << N_VERBS) - 1u)
#define CLI_CHOOSES (CLI_RS | CLI_F | CLI_X | CLI_E)  /* among parts of the catalogue */
#define CLI_BUILDS (CLI_P | CLI_Q | CLI_X)            /* takes parts by name */
#define CLI_COSTS (CLI_CHOOSES | CLI_P)               /* says what running costs */
#define CLI_TRAINS (CLI_COSTS | CLI_Q)                /* is about a workload */
#define CLI_PRICES (CLI_TRAINS | CLI_C)               /* reads prices */
#define CLI_MODELS (CLI_TRAINS | CLI_VK)              /* uses the constants of the model */
#define CLI_LAYERS (CLI_MODELS | CLI_C)               /* reads part lists */
#define CLI_REPORTS (CLI_LAYERS & ~CLI_S)             /* writes a result in the form of --format */

/* X(enumerator, name, key, argument, kind, group, verbs, low, high, choices, default, help)
 *   key      letter of the short form, 0: none
 *   kind     how the argument is read, see cli_kind
 *   low,high inclusive range of a number in the unit of its kind
 *   default  shown in the help only where the program itself sets it */
#define CLI_OPTION_MAP(X) \
    X(WORKLOAD, "workload", 'w', "NAME", LIST, WORKLOAD, CLI_TRAINS, 0, 0, "", "resnet50-imagenet", "network, data set and settings, a name of workloads.csv; with compare also more than one") \
    X(NETWORK, "network", 0, "NAME", TEXT, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "network, instead of that of the workload") \
    X(DATASET, "dataset", 0, "NAME", TEXT, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "data set, instead of that of the workload") \
    X(LOADER, "loader", 0, "NAME", TEXT, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "data loader, instead of that of the workload") \
    X(STACK, "stack", 0, "NAME", TEXT, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "software stack, instead of that of the workload") \
    X(BATCH, "batch", 0, "N", COUNT, WORKLOAD, CLI_TRAINS, 1, 1e6, "", "", "images per GPU and step") \
    X(PRECISION, "precision", 0, "KIND", CHOICE, WORKLOAD, CLI_TRAINS, 0, 0, "amp|tf32|fp32", "", "number format of the training") \
    X(EPOCHS, "epochs", 0, "N", COUNT, WORKLOAD, CLI_TRAINS, 1, 1e6, "", "", "epochs of one training run") \
    X(WORKERS, "workers", 0, "N", COUNT, WORKLOAD, CLI_TRAINS, 1, 1e5, "", "", "loader workers of the machine (default: one per core)") \
    X(CACHE, "cache", 0, "KIND", CHOICE, WORKLOAD, CLI_TRAINS, 0, 0, "page|none|pinned", "page", "what keeps the data set in memory between epochs") \
    X(NO_OVERLAP, "no-overlap", 0, "", FLAG, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "preparation and training take turns") \
    X(SEQUENTIAL, "sequential", 0, "", FLAG, WORKLOAD, CLI_TRAINS, 0, 0, "", "", "records are read in order, not shuffled") \
    \
    X(CPU, "cpu", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "processor, as in 'AMD EPYC 9354 x2'") \
    X(GPU, "gpu", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "GPU; with require: keep these GPUs busy") \
    X(MEMORY, "memory", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "memory kits") \
    X(STORAGE, "storage", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "drives") \
    X(BOARD, "board", 0, "NAME", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "main board or barebone") \
    X(PSU, "psu", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "power supplies") \
    X(CHASSIS, "chassis", 0, "NAME", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "case") \
    X(SERVER, "server", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "complete server") \
    X(BASEBOARD, "baseboard", 0, "NAME", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "GPU baseboard") \
    X(NIC, "nic", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "network cards") \
    X(SWITCH, "switch", 0, "NAME [xN]", TEXT, BUILD, CLI_BUILDS, 0, 0, "", "", "network switches, of all nodes together; two nodes need none") \
    X(CORES, "cores", 0, "N", COUNT, BUILD, CLI_BUILDS, 1, 1e5, "", "", "physical cores, where the processor has no name here") \
    X(RAM, "ram", 0, "SIZE", CAPACITY, BUILD, CLI_BUILDS, 0.5, 1e6, "", "", "memory, where the kit has no name here; GB and TB as memory is sold, 2^30 and 2^40 B") \
    X(STORAGE_RATE, "storage-rate", 0, "RATE", RATE, BUILD, CLI_BUILDS, 1e-3, 1e5, "", "", "read rate, where the drive has no name here, as in 3GB/s") \
    X(MEASURED, "measured", 0, "IMAGES_PER_S", NUMBER, BUILD, CLI_P | CLI_Q, 1e-3, 1e9, "", "", "compare with the rate that is seen on this machine") \
    X(FORCE_INCOMPATIBLE, "force-incompatible", 0, "", FLAG, BUILD, CLI_P | CLI_X, 0, 0, "", "", "predict parts that do not go together, with a warning") \
    \
    X(IMAGES_PER_S, "images-per-s", 0, "N", NUMBER, TARGET, CLI_Q, 1e-3, 1e9, "", "", "rate that the machine shall sustain") \
    X(EPOCH_TIME, "epoch-time", 0, "TIME", TIME, TARGET, CLI_Q, 1e-3, 1e10, "", "", "time of one epoch, as in 20min") \
    \
    X(BUDGET, "budget", 'b', "AMOUNT", MONEY, CHOICE, CLI_CHOOSES, 0.01, 1e9, "", "", "most that the build may cost, as in 20k or $20,000; with frontier also FROM..TO") \
    X(FROM, "from", 0, "AMOUNT", MONEY, CHOICE, CLI_F, 0.01, 1e9, "", "", "least price of the range, as in 3k") \
    X(TO, "to", 0, "AMOUNT", MONEY, CHOICE, CLI_F, 0.01, 1e9, "", "", "greatest price of the range, as in 60k") \
    X(OBJECTIVE, "objective", 0, "KIND", CHOICE, CHOICE, CLI_RS | CLI_X | CLI_E, 0, 0, "epoch-time|price|cost-per-epoch|images-per-dollar", "epoch-time", "what makes one build better than another") \
    X(EPOCH_TIME_MAX, "epoch-time-max", 0, "TIME", TIME, CHOICE, CLI_CHOOSES, 1e-3, 1e10, "", "", "longest epoch allowed, as in 20min") \
    X(TOP, "top", 'k', "K", COUNT, CHOICE, CLI_RS | CLI_X, 1, 100, "", "1", "number of builds to list, best first") \
    X(DISTINCT, "distinct", 0, "KIND", CHOICE, CHOICE, CLI_RS | CLI_X, 0, 0, "gpu|cpu|host", "gpu", "what makes two listed builds different") \
    X(REQUIRE, "require", 0, "CONDITION", LIST, CHOICE, CLI_CHOOSES | CLI_C, 0, 0, "", "", "keep parts for which it holds, as in 'gpu.mem_gb >= 24'") \
    X(FORBID, "forbid", 0, "CONDITION", LIST, CHOICE, CLI_CHOOSES | CLI_C, 0, 0, "", "", "drop parts for which it holds, as in 'cpu.vendor = Intel'") \
    X(LIMIT, "limit", 0, "CONDITION", LIST, CHOICE, CLI_CHOOSES, 0, 0, "", "", "bound on a total of each machine, as in 'power_w <= 1600', or of all nodes, as in 'total_rack_u <= 10'") \
    X(FIX, "fix", 0, "CLASS=NAME [xN]", LIST, CHOICE, CLI_CHOOSES, 0, 0, "", "", "exactly this part, as in 'gpu = RTX 4090 x2'") \
    X(OWN, "own", 0, "CLASS=NAME [xN]", LIST, CHOICE, CLI_CHOOSES, 0, 0, "", "", "this part is there already and costs nothing") \
    X(CIRCUIT, "circuit", 0, "V:A", TEXT, CHOICE, CLI_CHOOSES, 0, 0, "", "", "mains circuit of each machine, as in 110V:15A; 80 % of volts times amperes is planned for, the share usual for continuous loads; or watts as they are") \
    X(NODES, "nodes", 0, "N", TEXT, CHOICE, CLI_R | CLI_F | CLI_P | CLI_Q, 0, 0, "", "1", "equal machines that train together; with recommend and frontier also FROM..TO, as in 1..8: the best number is chosen, with its network") \
    X(DATA, "data", 0, "KIND", CHOICE, CHOICE, CLI_R | CLI_F | CLI_P | CLI_Q, 0, 0, "shared|sharded", "shared", "what each of several nodes stores: shared, all of the data set; sharded, its own part of it") \
    X(UNMEASURED, "unmeasured", 0, "", FLAG, CHOICE, CLI_CHOOSES, 0, 0, "", "", "also offer GPUs whose maker has no measurement") \
    \
    X(CATALOG, "catalog", 0, "DIR", LIST, CATALOG, CLI_LAYERS, 0, 0, "", "", "more part lists, laid over the shipped ones; may be repeated, later ones win") \
    X(PRICES, "prices", 0, "FILE", FILE, CATALOG, CLI_PRICES, 0, 0, "", "", "own quotes by part name; they win over every other price") \
    X(PRICE_AFTER, "price-after", 0, "DATE", DATE, CATALOG, CLI_PRICES, 0, 0, "", "", "use only prices of this date or later, as in 2025-01-31") \
    X(PRICE_TRUST, "price-trust", 0, "GRADE", CHOICE, CATALOG, CLI_PRICES, 0, 0, "good|fair|low", "low", "least trust in a price") \
    X(USED, "used", 0, "", FLAG, CATALOG, CLI_PRICES, 0, 0, "", "", "also offer second-hand prices and launch prices") \
    X(ALLOW_ZERO_PRICE, "allow-zero-price", 0, "", FLAG, CATALOG, CLI_PRICES, 0, 0, "", "", "keep zero and absurdly low prices") \
    X(PROFILE, "profile", 0, "FILE", FILE, CATALOG, CLI_MODELS, 0, 0, "", "", "fitted constants (CSV) in place of the shipped ones") \
    \
    X(SAVE, "save", 0, "FILE", FILE, GROUPS, CLI_K, 0, 0, "", "profile.csv", "the profile to write; -: standard output, without a summary") \
    X(SHIPPED, "shipped", 0, "", FLAG, GROUPS, CLI_K, 0, 0, "", "", "fit to the shipped measurements as well; from the priors, since the shipped figures know them") \
    X(FROM_PRIORS, "from-priors", 0, "", FLAG, GROUPS, CLI_VK, 0, 0, "", "", "forget what was fitted before: start from the priors, as the shipped figures were made; with validate: of --fit=model, and always so for the shipped measurements") \
    X(INTERVALS, "intervals", 0, "", FLAG, GROUPS, CLI_K, 0, 0, "", "", "with --shipped: also fit the widths of the intervals, by cross-validation (minutes)") \
    X(QUICK, "quick", 0, "", FLAG, GROUPS, CLI_K, 0, 0, "", "", "keep the variances of the effects: sooner done, a little rougher") \
    X(BY, "by", 0, "GROUPS", TEXT, GROUPS, CLI_V, 0, 0, "", "", "groups to show, as in gpu or network,stack; or all") \
    X(LEAVE_OUT, "leave-out", 0, "GROUP", CHOICE, GROUPS, CLI_VK, 0, 0, "system|gpu|generation|cpu|cpu-family|network|source|stack|loader|precision|submitter|count|nodes|kind|file|row", "", "hold out each group in turn, fit the rest, predict the group") \
    X(FIT, "fit", 0, "KIND", CHOICE, GROUPS, CLI_V, 0, 0, "nothing|stacks|model", "stacks", "with --leave-out: what is fitted to the rest; model: all that calibrate fits") \
    X(FOLDS, "folds", 0, "N", COUNT, GROUPS, CLI_VK, 2, 10000, "", "10", "with --leave-out: at most so many fits, groups held out together") \
    X(TARGETS, "targets", 0, "", FLAG, GROUPS, CLI_V, 0, 0, "", "", "how far the aims of the model are met, by all cross-validations they need (minutes)") \
    X(RESIDUALS, "residuals", 0, "FILE", FILE, GROUPS, CLI_V, 0, 0, "", "", "also write a CSV row per measurement there") \
    \
    X(OWNED, "owned", 0, "FILE", LIST, RIVALS, CLI_X, 0, 0, "", "", "CSV of builds that are owned: their capital is spent; may be repeated") \
    X(CLOUD, "cloud", 0, "NAME", LIST, RIVALS, CLI_X, 0, 0, "", "", "an instance of the table cloud, instead of all of them; may be repeated") \
    X(NO_CLOUD, "no-cloud", 0, "", FLAG, RIVALS, CLI_X, 0, 0, "", "", "no rented machines") \
    \
    X(ELECTRICITY, "electricity", 0, "USD", NUMBER, ECONOMICS, CLI_COSTS, 0, 100, "", "0.15", "price of a kilowatt-hour in US dollars") \
    X(PUE, "pue", 0, "FACTOR", NUMBER, ECONOMICS, CLI_COSTS, 1, 10, "", "1.4", "power of the whole site over that of the machine") \
    X(LIFETIME, "lifetime", 0, "TIME", TIME, ECONOMICS, CLI_COSTS, 3600, 1e10, "", "3y", "time over which the price is written off") \
    X(UTILISATION, "utilisation", 0, "SHARE", FRACTION, ECONOMICS, CLI_COSTS, 1e-6, 1, "", "70%", "share of that time spent training") \
    X(RESALE, "resale", 0, "SHARE", FRACTION, ECONOMICS, CLI_COSTS, 0, 1, "", "0", "share of the price that the sale brings after that time") \
    X(INTEREST, "interest", 0, "SHARE", FRACTION, ECONOMICS, CLI_COSTS, 0, 10, "", "0", "interest on the capital, per year, as in 5%") \
    X(MAINTENANCE, "maintenance", 0, "SHARE", FRACTION, ECONOMICS, CLI_COSTS, 0, 10, "", "0", "upkeep per year as a share of the price") \
    X(HOSTING, "hosting", 0, "USD", NUMBER, ECONOMICS, CLI_COSTS, 0, 1e9, "", "0", "space, network and staff for the machine per month in US dollars") \
    X(GRID, "grid", 0, "KG", NUMBER, ECONOMICS, CLI_X, 0, 100, "", "", "carbon dioxide of a kilowatt-hour in kilograms") \
    \
    X(SOLVER, "solver", 0, "NAME", TEXT, SOLVER, CLI_RS | CLI_X, 0, 0, "", "auto", "solver of the integer program") \
    X(AS, "as", 0, "KIND", CHOICE, SOLVER, CLI_E, 0, 0, "auto|lp|mps", "auto", "form of the program: CPLEX LP or free MPS; auto: MPS if the name of --output ends in .mps, else LP") \
    X(FULL, "full", 0, "", FLAG, SOLVER, CLI_E, 0, 0, "", "", "keep options that another one always replaces or that are too dear; the optimum is the same") \
    X(READ_SOLUTION, "read-solution", 0, "FILE", FILE, SOLVER, CLI_E, 0, 0, "", "", "check and explain what glpsol, cbc or HiGHS answered to the program of the same options, instead of writing it") \
    X(GAP, "gap", 0, "SHARE", FRACTION, SOLVER, CLI_RS | CLI_X | CLI_E, 0, 1, "", "0", "accepted distance from the proved bound") \
    X(TIME_LIMIT, "time-limit", 0, "TIME", TIME, SOLVER, CLI_CHOOSES, 0, 1e10, "", "", "stop after this time with the best found") \
    X(THREADS, "threads", 0, "N", COUNT, SOLVER, CLI_S, 1, 1024, "", "", "threads that answer (default: one per core)") \
    X(SHARD, "shard", 0, "I/N", TEXT, SOLVER, CLI_S, 0, 0, "", "", "only the I-th of N parts of the rows, as in 2/8; the outputs one after another are the whole") \
    X(RESUME, "resume", 0, "", FLAG, SOLVER, CLI_S, 0, 0, "", "", "go on where an interrupted sweep into the same file stopped") \
    \
    X(FORMAT, "format", 'f', "KIND", CHOICE, OUTPUT, CLI_REPORTS, 0, 0, "table|csv|json|markdown|html", "table", "form of the result") \
    X(LONG, "long", 0, "", FLAG, OUTPUT, CLI_R | CLI_F | CLI_P | CLI_E, 0, 0, "", "", "CSV: one row per part instead of one per build") \
    X(CRLF, "crlf", 0, "", FLAG, OUTPUT, CLI_REPORTS, 0, 0, "", "", "CSV: lines end in CR LF") \
    X(EXCEL, "excel", 0, "", FLAG, OUTPUT, CLI_REPORTS, 0, 0, "", "", "CSV: byte order mark, CR LF, cells safe for spreadsheets") \
    X(NO_CSV_GUARD, "no-csv-guard", 0, "", FLAG, OUTPUT, CLI_REPORTS, 0, 0, "", "", "CSV: leave cells that a spreadsheet would run as a formula as they are") \
    X(COLUMNS, "columns", 0, "A,B,C", TEXT, OUTPUT, CLI_C, 0, 0, "", "", "columns of catalog list") \
    X(SORT, "sort", 0, "COLUMN", TEXT, OUTPUT, CLI_C, 0, 0, "", "", "order of catalog list; -COLUMN: largest first") \
    X(INTO, "into", 0, "DIR", FILE, OUTPUT, CLI_C, 0, 0, "", "", "catalog import: the catalogue to write, made if it is not there") \
    X(FAIL_IF, "fail-if", 0, "CONDITION", TEXT, OUTPUT, CLI_R | CLI_P | CLI_E, 0, 0, "", "", "exit status 8 if it holds for the first build, as in 'price_usd > 15000'") \
    X(OUTPUT, "output", 'o', "FILE", FILE, OUTPUT, CLI_ALL, 0, 0, "", "", "write there instead of to standard output; -: standard output") \
    X(WIDE, "wide", 0, "", FLAG, OUTPUT, CLI_REPORTS, 0, 0, "", "", "use more than 80 columns") \
    X(COLOR, "color", 0, "WHEN", CHOICE, OUTPUT, CLI_REPORTS, 0, 0, "auto|always|never", "auto", "colour of the table") \
    \
    X(QUIET, "quiet", 'q', "", FLAG, GENERAL, CLI_ALL, 0, 0, "", "", "no notes and warnings") \
    X(VERBOSE, "verbose", 'v', "", FLAG, GENERAL, CLI_ALL, 0, 0, "", "", "say where each setting came from, and more") \
    X(MAN, "man", 0, "", FLAG, GENERAL, 1u << VERB_HELP, 0, 0, "", "", "print the manual page in troff form") \
    X(HELP, "help", 'h', "", FLAG, GENERAL, CLI_ALL, 0, 0, "", "", "print this help") \
    X(VERSION, "version", 'V', "", FLAG, GENERAL, CLI_ALL, 0, 0, "", "", "print the version")

/* Exit codes: enumerator, value, meaning. */
#define CLI_EXIT_MAP(X) \
    X(OK, 0, "a result, proved within --gap") \
    X(INTERNAL, 1, "internal or solver failure, or out of memory") \
    X(USAGE, 2, "wrong usage: unknown verb or option, a value that cannot be read") \
    X(INFEASIBLE, 3, "proved that no build meets all conditions; the message names those in conflict") \
    X(STOPPED, 4, "stopped by a limit or an interrupt with a build; the gap is printed") \
    X(NOTHING, 5, "stopped by a limit with nothing found") \
    X(INPUT, 6, "an input file is wrong; the message gives file, line and column") \
    X(FILE, 7, "a file cannot be read or written") \
    X(CONDITION, 8, "the condition of --fail-if is true; the result is written all the same") \
    X(INTERRUPT, 130, "interrupted (SIGINT) with nothing to report") \
    X(TERMINATE, 143, "terminated (SIGTERM) with nothing to report")
/* clang-format on */

#endif
