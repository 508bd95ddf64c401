#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times trainrig on markets against other solvers, against libcsv and against its targets, in one run.

Times are processor time (user and system) of one run's processes, medians of the repeats, so that
others on the machine disturb little; a sweep alone is measured by the clock, since threads share it.
"""
import argparse
import csv
import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIPPED = [os.path.join(ROOT, "catalog/data"), os.path.join(ROOT, "model/data")]
FACTORS = (1, 2, 5, 10)
EQUAL_FRACTION = 1e-9  # rates of the same build, computed by the same model
TARGETS = {
    "solvers": "solving at least 100 x faster than the fastest other solver, equal objective",
    "reading": "whole recommend on every market below 2 x the time libcsv reads its files",
    "memory": "peak memory on every market below 4 x its files",
    "growth": "ten times the parts in at most eleven times the time",
    "top": "ten builds in less than 3 x the time of one",
    "frontier": "frontier from 2,000 to 400,000 USD of the shipped catalogue below 1 s",
    "sweep": "more than 200 rows a second of a sweep on two cores",
}


class Failed(Exception):
    """A program that had to work did not; the text says which and how."""


def run(command, check=True, **options):
    """Runs a program. Returns (processor time [s], clock time [s], peak memory [B], output, status)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, **options)
        _, status, usage = os.wait4(child.pid, 0)
        clock_s = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if check and child.returncode != 0:
            raise Failed(f"{' '.join(command)}: exit {child.returncode}\n{err.read().decode()[-2000:]}")
        cpu_s = usage.ru_utime + usage.ru_stime
        return cpu_s, clock_s, usage.ru_maxrss * 1024, out.read().decode(), child.returncode


def is_proved(answer):
    """Whether a solution file of glpsol, cbc or HiGHS says that it is the proved optimum."""
    if not os.path.exists(answer):
        return False
    with open(answer, encoding="ascii", errors="replace") as text:
        head = text.read(1000)
    return ("INTEGER OPTIMAL" in head or head.startswith("Optimal - ")
            or head.startswith("Model status\nOptimal\n"))


def keys(text):
    return {key: float(value) for key, value in (line.split() for line in text.splitlines())}


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.trainrig = os.path.join(options.build, "trainrig")
        self.repeats = options.repeats
        self.verdicts = []

    def tool(self, name):
        return os.path.join(self.options.build, "bench", name)

    def judge(self, target, figure, is_met):
        """is_met None: not measured."""
        word = "not measured" if is_met is None else "met" if is_met else "MISSED"
        self.verdicts.append((target, figure, word))

    def market(self, factor):
        directory = os.path.join(self.work, f"x{factor}")
        os.mkdir(directory)
        scale = repr(self.options.scale * factor)
        run([self.tool("make_market"), str(self.options.seed), scale, directory, SHIPPED[0]])
        return directory

    def measure(self, name, directory):
        """Figures of one market; the files are those of the shipped catalogue, the model and the market."""
        directories = SHIPPED + [directory]
        files = [f for d in directories for f in sorted(glob.glob(os.path.join(d, "*.csv")))]
        figures = keys(run([self.tool("read_csv"), str(self.repeats * 3), *files])[3])
        figures.update(keys(run([self.tool("bench_market"), str(self.repeats),
                                 str(self.options.budget), *directories])[3]))
        runs = [run([self.trainrig, "recommend", "-q", "--budget", str(self.options.budget),
                     "--catalog", directory]) for _ in range(self.repeats)]
        figures["whole_s"] = statistics.median(r[0] for r in runs)
        figures["memory"] = statistics.median(r[2] for r in runs)
        figures["name"], figures["directory"] = name, directory
        return figures

    def markets(self):
        print(f"\n{'market':<10}{'rows':>9}{'MB':>7}{'libcsv':>9}{'load':>9}{'solve':>9}{'ten':>9}"
              f"{'whole':>9}{'whole/libcsv':>14}{'memory/files':>14}   [ms]")
        rows = [self.report(self.measure(f"x{f}", self.market(f))) for f in FACTORS]
        extra = [self.report(self.measure(os.path.basename(os.path.normpath(d)), d))
                 for d in self.options.market]
        return rows, extra

    @staticmethod
    def report(f):
        times = "".join(f"{f[k] * 1e3:9.1f}" for k in ("read_s", "load_s", "solve_s", "top10_s", "whole_s"))
        print(f"{f['name']:<10}{f['rows']:9.0f}{f['bytes'] / 1e6:7.2f}{times}"
              f"{f['whole_s'] / f['read_s']:14.2f}{f['memory'] / f['bytes']:14.2f}", flush=True)
        return f

    def growth(self, rows):
        first = rows[0]
        print("\ngrowth from x1: ratio of times per ratio of rows (1: in proportion)")
        for f in rows[1:]:
            per = {k: f[k] / first[k] / (f["rows"] / first["rows"])
                   for k in ("read_s", "load_s", "solve_s", "whole_s")}
            print(f"{f['name']:<10}{f['rows'] / first['rows']:6.2f} x rows   libcsv {per['read_s']:.2f}"
                  f"   load {per['load_s']:.2f}   solve {per['solve_s']:.2f}   whole {per['whole_s']:.2f}")
        self.judge("growth", f"{per['whole_s']:.2f} per row, {f['rows'] / first['rows']:.1f} x the rows",
                   per["whole_s"] <= 1.1)

    def ratios(self, markets):
        reading = max(f["whole_s"] / f["read_s"] for f in markets)
        memory = max(f["memory"] / f["bytes"] for f in markets)
        top = max(f["top10_s"] / f["solve_s"] for f in markets)
        self.judge("reading", f"at most {reading:.1f} x", reading < 2)
        self.judge("memory", f"at most {memory:.1f} x", memory < 4)
        self.judge("top", f"at most {top:.2f} x, solving alone", top < 3)

    def solver_commands(self, program, answer):
        limit = str(self.options.solver_time)
        gap = os.path.join(self.work, "gap.opt")
        with open(gap, "w", encoding="ascii") as out:
            out.write("mip_rel_gap = 0\n")
        commands = {}
        if shutil.which("glpsol"):
            commands["glpsol"] = ["glpsol", "--lp", program, "--tmlim", limit, "--write", answer]
        if shutil.which("cbc"):
            commands["cbc"] = ["cbc", program, "seconds", limit, "ratioGap", "0", "solve", "solution", answer]
        if shutil.which("highs"):
            commands["HiGHS"] = ["highs", "--options_file", gap, "--time_limit", limit,
                                 "--solution_file", answer, program]
        elif shutil.which("node") and run(["node", "-e", "require('highs')"], check=False)[4] == 0:
            commands["HiGHS/wasm"] = ["node", os.path.join(ROOT, "bench/highs.js"), program, limit, answer]
        return commands

    def read_back(self, question, answer):
        """Rate of the build that a solver found, by trainrig's own model; None: no whole answer."""
        text = run([self.trainrig, "export", *question, "--read-solution", answer, "--format", "json", "-q"],
                   check=False)
        if text[4] not in (0, 4):
            return None
        builds = json.loads(text[3])["builds"]
        return builds[0]["images_per_s"] if builds else None

    def solvers(self, market):
        program, answer = (os.path.join(self.work, name) for name in ("server.lp", "answer.sol"))
        question = ["--budget", str(self.options.budget), "--catalog", market["directory"]]
        full = ["--full"] if self.options.full else []
        run([self.trainrig, "export", *question, *full, "-q", "-o", program])
        print(f"\nsolving alone, market {market['name']}, exported program of {os.path.getsize(program) / 1e6:.1f} MB"
              f"{', all options' if full else ', options without a chance left out'}")
        print(f"{'solver':<12}{'CPU s':>10}{'x trainrig':>12}  {'images/s':<20} objective")
        print(f"{'trainrig':<12}{market['solve_s']:10.3f}{1:12.1f}  {market['images_per_s']!r:<20} proved")
        commands = self.solver_commands(program, answer)
        outcomes = [self.solve(name, command, question + full, answer, market)
                    for name, command in commands.items()]
        if not outcomes:
            print("(none of glpsol, cbc, HiGHS is installed)")
        return outcomes

    def solve(self, name, command, question, answer, market):
        """Times one solver and prints it. Returns (times trainrig's time, word)."""
        if os.path.exists(answer):
            os.remove(answer)
        # A solver that does not keep its own limit is ended a little later.
        guard = ["timeout", str(self.options.solver_time + 15)]
        cpu_s, clock_s = run(guard + command, check=False)[:2]
        rate = self.read_back(question, answer) if is_proved(answer) else None
        ratio = cpu_s / market["solve_s"]
        if rate is not None:
            word = "equal" if abs(rate / market["images_per_s"] - 1) <= EQUAL_FRACTION else "DIFFERENT"
        else:
            word = "stopped by the limit" if clock_s >= 0.9 * self.options.solver_time else "FAILED"
        print(f"{name:<12}{cpu_s:10.3f}{ratio:12.1f}  {'' if rate is None else repr(rate):<20} {word}", flush=True)
        return ratio, word

    def judge_solvers(self, outcomes):
        """A solver that was stopped would have taken longer yet, so its ratio is a lower bound."""
        ended = [ratio for ratio, word in outcomes if word in ("equal", "DIFFERENT")]
        stopped = [ratio for ratio, word in outcomes if word == "stopped by the limit"]
        words = {word for _, word in outcomes}
        doubt = "".join(f", {word}" for word in ("DIFFERENT", "FAILED") if word in words)
        if not ended and not stopped:
            self.judge("solvers", f"no other solver{doubt}", None)
            return
        least = min(ended + stopped)
        is_met = least >= 100 and "DIFFERENT" not in words
        is_open = not is_met and not doubt and min(ended, default=100) >= 100
        self.judge("solvers", f"{'' if least in ended else 'over '}{least:.0f} x in the worst case{doubt}", None if is_open else is_met)

    def frontier(self):
        command = [self.trainrig, "frontier", "--from", "2k", "--to", "400k", "--format", "json", "-q"]
        runs = [run(command) for _ in range(self.repeats)]
        taken_s = statistics.median(r[0] for r in runs)
        n_points = len(json.loads(runs[0][3])["builds"])
        print(f"\nfrontier 2,000 to 400,000 USD, shipped catalogue: {n_points} points in {taken_s:.3f} s")
        self.judge("frontier", f"{taken_s:.2f} s", taken_s < 1)

    def sweep(self):
        path, n_rows = os.path.join(self.work, "scenarios.csv"), 60 if self.options.quick else 400
        conditions = ("", "gpu.mem_gb >= 24", "cpu.vendor = AMD", "gpu.mem_gb >= 16; cpu.vendor = AMD")
        with open(path, "w", newline="", encoding="ascii") as out:
            rows = csv.writer(out)
            rows.writerow(("id", "budget_usd", "workload", "require"))
            for i in range(n_rows):
                rows.writerow((i, 5000 + i * 97 % 95000, ("resnet50-imagenet", "vit_b16-imagenet")[i % 2],
                               conditions[i // 2 % 4]))
        rate, cpu_s = {}, []
        for n_threads in (1, 2):
            clock_s = []
            for k in range(self.repeats):
                out = os.path.join(self.work, f"sweep{n_threads}.{k}.csv")
                used = run([self.trainrig, "sweep", path, "-q", "--threads", str(n_threads), "-o", out])
                clock_s.append(used[1])
                cpu_s.append(used[0])
            rate[n_threads] = n_rows / statistics.median(clock_s)
        load = os.getloadavg()[0]
        print(f"\nsweep of {n_rows} rows, shipped catalogue: {rate[1]:.0f} rows/s with one thread, {rate[2]:.0f} with two"
              f"   (by the clock; {os.cpu_count()} cores, load {load:.1f};"
              f" {n_rows / statistics.median(cpu_s):.0f} rows per second of one processor)")
        self.judge("sweep", f"{rate[2]:.0f} rows/s", rate[2] > 200)

    def verdict(self):
        print("\ntarget")
        for target, figure, word in self.verdicts:
            print(f"  {TARGETS[target]:<84} {figure:<46} {word}")


def parse():
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small markets, one repeat: under a minute")
    parser.add_argument("--list", action="store_true", help="print what would be measured and the targets, and end")
    parser.add_argument("--seed", type=int, default=1, help="of the markets made [1]")
    parser.add_argument("--scale", type=float, help="of the market x1; 1 is about 12,300 parts [1; quick 0.1]")
    parser.add_argument("--repeats", type=int, help="runs of which the median counts [5; quick 1]")
    parser.add_argument("--budget", type=int, default=20000, help="of the question, whole USD [20000]")
    parser.add_argument("--market", action="append", default=[], metavar="DIR",
                        help="also measure this catalogue, as 'trainrig catalog import' writes one; may be repeated")
    parser.add_argument("--solver-time", type=int, metavar="S", help="limit of each other solver [120; quick 5]")
    parser.add_argument("--full", action="store_true", help="solvers get every option, not the reduced program")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    quick = options.quick
    options.scale = (0.1 if quick else 1.0) if options.scale is None else options.scale
    options.repeats = (1 if quick else 5) if options.repeats is None else options.repeats
    options.solver_time = (5 if quick else 120) if options.solver_time is None else options.solver_time
    if not 0 < options.scale <= 30 or not 1 <= options.repeats <= 300:
        parser.error("--scale must be above 0 and at most 30, --repeats 1 to 300")
    if options.solver_time < 1 or not 1 <= options.budget <= 1000000000:
        parser.error("--solver-time and --budget must be at least 1, --budget at most 1,000,000,000")
    for directory in options.market:
        if not os.path.isdir(directory):
            parser.error(f"--market: no directory '{directory}'")
    return options


def plan(options):
    sizes = ", ".join(f"x{f} of scale {options.scale * f:g}" for f in FACTORS)
    return (f"seed {options.seed}, {options.repeats} repeat(s), budget {options.budget} USD; markets {sizes}"
            f"{''.join(', ' + d for d in options.market)}; solvers stop after {options.solver_time} s")


def main():
    options = parse()
    print(plan(options))
    if options.list:
        print("\n".join(f"  {name:<9} {text}" for name, text in TARGETS.items()))
        return 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.setdefault("TRAINRIG_DATA", ROOT)
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(options, work)
        try:
            rows, extra = bench.markets()
            bench.growth(rows)
            bench.ratios(rows + extra)
            bench.judge_solvers([outcome for f in rows[:1] + extra for outcome in bench.solvers(f)])
            bench.frontier()
            bench.sweep()
        except Failed as failure:
            print(f"bench: {failure}", file=sys.stderr)
            return 1
        bench.verdict()
    return 0


if __name__ == "__main__":
    sys.exit(main())
