#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores public reports of users: score_cases.py PROGRAM [CASES.csv]

A row names what the report names and nothing else, as arguments of `predict`. Its answer is right if
the stage that bound, as far as the report tells, is the one that binds at best or, where parts are
not named, at worst; a measured rate lies within the range if it is between the lowest rate at worst
and the highest at best. Exit 1 if fewer than SHARE of the rows are right.
"""
import csv
import json
import os
import shlex
import subprocess
import sys

SHARE = 0.85


def predict(program, arguments):
    done = subprocess.run([program, "predict", "--format", "json", "--quiet",
                           *shlex.split(arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"predict {arguments}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)["builds"][0]


def main():
    program = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "cases.csv")
    n_right = n = n_inside = n_rates = 0
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            build = predict(program, row["arguments"])
            stages = {build["binding_stage"], build.get("at_worst_binding_stage")}
            is_right = bool(stages & set(row["expected"].split("|")))
            n += 1
            n_right += is_right
            low = min(build["images_per_s_low"], build.get("at_worst_images_per_s_low", 1e99))
            rate = ""
            if row["images_per_s"]:
                is_inside = low <= float(row["images_per_s"]) <= build["images_per_s_high"]
                n_rates += 1
                n_inside += is_inside
                rate = f"; measured {row['images_per_s']}, {'inside' if is_inside else 'OUTSIDE'}"
            print(f"{row['id']} {'right' if is_right else 'WRONG'}: {row['expected']} expected, "
                  f"{' or '.join(sorted(filter(None, stages)))} answered, "
                  f"{low:.0f} to {build['images_per_s_high']:.0f} images/s{rate}")
    print(f"{n_right} of {n} binding stages right; {n_inside} of {n_rates} rates inside the range")
    sys.exit(0 if n_right >= SHARE * n else 1)


main()
