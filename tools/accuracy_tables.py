#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills the tables of docs/accuracy.md: accuracy_tables.py DOCUMENT TARGETS RESIDUALS

TARGETS is `validate --targets --format json`, RESIDUALS the file of a cross-validation by system.
Each table stands between <!-- NAME: begin --> and <!-- NAME: end -->; the rest stays as it is.
"""
import csv
import json
import math
import re
import statistics
import sys

ROWS_MIN = 20
WORST_SHOWN = 12


def percent(frac, signed=False):
    if frac is None or math.isnan(frac):
        return ""
    digits = 0 if abs(frac) >= 0.0995 else 1
    return f"{100 * frac:{'+' if signed else ''}.{digits}f} %"


def table(head, rows, right):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---:" if column in right else "---" for column in head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


# ---- targets ------------------------------------------------------------------------------------

def verdict(target):
    if target["rows"] == 0:
        return "no rows"
    if not target["is_met"]:
        return "**missed**"
    return "met" if target["is_bias_met"] else "met, but biased"


def scored(target):
    if target["trivial_frac"] is None:
        return target["what"]
    return f"{target['what']} (always the same answer: {percent(target['trivial_frac'])})"


def targets_table(document):
    rows = [[scored(target), target["left_out"], str(target["rows"]),
             percent(target["value_frac"]), percent(target["limit_frac"]),
             percent(target["bias_frac"], True), verdict(target)] for target in document["targets"]]
    return table(["what is scored", "left out", "rows", "error", "goal", "bias", ""],
                 rows, ("rows", "error", "goal", "bias"))


def coverage_table(document):
    rows = [[item["left_out"], item["by"], f"{item['right']} of {item['groups']}",
             f"{percent(item['least_frac'])} ({item['least_name']})",
             f"{percent(item['most_frac'])} ({item['most_name']})"]
            for item in document["coverage"]]
    return table(["left out", "groups by", "within 85 to 95 %", "least", "most"], rows, ())


# ---- residuals ----------------------------------------------------------------------------------

def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["log_ratio"]]
    for row in rows:
        row["off"] = math.exp(float(row["log_ratio"])) - 1.0
    return rows


def score(rows):
    sizes = sorted(abs(row["off"]) for row in rows)
    return [str(len(rows)), percent(statistics.mean(sizes)), percent(statistics.median(sizes)),
            percent(sizes[min(len(sizes) - 1, math.ceil(0.9 * len(sizes)) - 1)]),
            percent(statistics.mean(float(row["log_ratio"]) for row in rows), True),
            percent(statistics.mean(row["is_covered"] == "true" for row in rows))]


def groups_table(rows):
    out = []
    for by in ("kind", "stack", "source"):
        groups = {}
        for row in rows:
            groups.setdefault(row[by], []).append(row)
        for name in sorted(groups, key=lambda name: (-len(groups[name]), name)):
            if name and len(groups[name]) >= ROWS_MIN:
                out.append([by, name] + score(groups[name]))
    head = ["by", "name", "rows", "mean error", "median", "90 % within", "bias", "in 90 %"]
    return table(head, out, head[2:])


# Rows that agree in these differ by nothing that the model knows.
SAME = ("kind", "gpu", "gpu_count", "node_count", "batch_per_gpu", "network", "stack", "precision",
        "loader", "cpu", "source", "binding_stage")


def noise_table(rows):
    """How well the others of a group of equal rows predict one of them: no model does better."""
    out = []
    for kind, name in (("system", "complete systems, same round of a benchmark"),
                       ("gpu", "training rates, same source")):
        same = [column for column in SAME if kind == "gpu" or column not in ("cpu", "loader")]
        groups = {}
        for row in rows:
            if row["kind"] == kind:
                groups.setdefault(tuple(row[column] for column in same), []).append(
                    math.log(float(row["observed_images_per_s"])))
        groups = [of for of in groups.values() if len(of) > 1]
        errors, squares, freedom = [], 0.0, 0
        for of in groups:
            mean = statistics.mean(of)
            squares += sum((value - mean) ** 2 for value in of)
            freedom += len(of) - 1
            others = [(sum(of) - value) / (len(of) - 1) for value in of]
            errors += [abs(math.exp(other - value) - 1) for other, value in zip(others, of)]
        if errors:
            out.append([name, str(len(groups)), str(len(errors)),
                        percent(math.sqrt(squares / freedom)), percent(statistics.mean(errors)),
                        percent(statistics.median(errors)), percent(max(errors))])
    head = ["equal in all that the model knows", "groups", "rows", "standard deviation",
            "mean error of the others' mean", "median", "largest"]
    return table(head, out, head[1:])


def worst_table(rows):
    """Groups of equal GPU, network and stack whose median error is largest."""
    groups = {}
    for row in rows:
        if row["kind"] in ("system", "gpu"):
            key = (row["gpu"], row["network"], row["stack"], row["source"])
            groups.setdefault(key, []).append(row)
    scored = [(statistics.median(abs(row["off"]) for row in of), key, of)
              for key, of in groups.items() if len(of) >= 3]
    scored.sort(key=lambda item: (-item[0], item[1]))
    out = [[*key, str(len(of)), percent(size),
            percent(statistics.mean(float(row["log_ratio"]) for row in of), True)]
           for size, key, of in scored[:WORST_SHOWN]]
    head = ["GPU", "network", "stack", "source", "rows", "median error", "bias"]
    return table(head, out, head[4:])


def fill(text, name, body):
    pattern = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.S)
    text, count = pattern.subn(lambda match: f"{match[1]}{body}\n{match[2]}", text)
    if count != 1:
        sys.exit(f"accuracy_tables.py: {count} places for '{name}' (expected one)")
    return text


def main(document, targets, residuals):
    with open(targets, encoding="utf-8") as file:
        scores = json.load(file)
    rows = read(residuals)
    with open(document, encoding="utf-8") as file:
        text = file.read()
    for name, body in (("targets", targets_table(scores)), ("coverage", coverage_table(scores)),
                       ("groups", groups_table(rows)), ("noise", noise_table(rows)),
                       ("worst", worst_table(rows))):
        text = fill(text, name, body)
    with open(document, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3])
