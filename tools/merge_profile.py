#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the figures of a profile into the tables that ship: merge_profile.py PROFILE ROOT

Rows and columns that the profile does not name stay as they are. New rows go into efficiency.csv
and intervals.csv alone. A row of efficiency.csv that was fitted before and has no measurements now
is taken out: the model falls back to its architecture, else to what the equations say. The record
of what was fitted becomes model/measurements/fitted.csv.
"""
import csv
import io
import math
import os
import sys

MAIN = {"constants": "value", "efficiency": "step_factor", "stacks": "step_factor",
        "loaders": "decode_factor", "networks": "activations_m", "intervals": "half_width"}
GROWING = ("efficiency", "intervals")
# The shipped tables repeat no counts of rows that the column beside them has.
SOURCES = {"efficiency": "fitted, see docs/accuracy.md"}


def number(text, digits):
    """The shortest text of so many significant digits; empty stays empty."""
    return "" if text == "" else format(float(text), f".{digits}g")


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames), {row["name"]: row for row in reader}


def write_table(path, columns, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for name in sorted(rows, key=lambda key: key.encode()):
        writer.writerow(rows[name])
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        file.write(text.getvalue())
    os.replace(path + ".new", path)


def split(table, name, columns, rows):
    """Row and column of an entry: the name of a row, or ROW.COLUMN."""
    if name not in rows and "." in name:
        row, column = name.rsplit(".", 1)
        if column in columns and row in rows:
            return row, column
    return name, MAIN[table]


def is_empty(entry):
    """An effect that nothing was measured of."""
    return entry["table"] == "efficiency" and float(entry["rows"] or 0) == 0


def merge(table, entries, columns, rows):
    """Returns how many figures changed."""
    n_changed = 0
    for entry in entries:
        name, column = split(table, entry["name"], columns, rows)
        if is_empty(entry):
            n_changed += 1 if rows.pop(name, None) else 0
            continue
        if table not in GROWING and float(entry["rows"] or 0) == 0:
            continue  # no rows tell about it: what ships stays, with its source
        if name not in rows:
            if table not in GROWING:
                sys.exit(f"merge_profile.py: {table}.csv has no row '{name}'")
            rows[name] = dict.fromkeys(columns, "") | {"name": name}
        row = rows[name]
        before = row[column]
        row[column] = number(entry["value"], 6)
        if column == MAIN[table]:
            if "log_sd" in columns and entry["log_sd"] != "":
                # An uncertainty of nothing would never be fitted again.
                row["log_sd"] = number(str(max(float(entry["log_sd"]), 1e-4)), 3)
            if "rows" in columns:
                row["rows"] = str(int(float(entry["rows"] or 0)))
        row["source"] = SOURCES.get(table, entry["source"])
        n_changed += 1 if before == "" or not math.isclose(
            float(before), float(row[column]), rel_tol=1e-6) else 0
    return n_changed


def main(profile, root):
    with open(profile, newline="", encoding="utf-8") as file:
        entries = list(csv.DictReader(file))
    for table in MAIN:
        path = os.path.join(root, "model", "data", table + ".csv")
        columns, rows = read_table(path)
        own = [entry for entry in entries if entry["table"] == table]
        if own:
            n_changed = merge(table, own, columns, rows)
            write_table(path, columns, rows)
            print(f"{table}.csv: {len(own)} figures fitted, {n_changed} changed")
    fitted = {entry["name"]: entry for entry in entries if entry["table"] == "fitted"}
    if fitted:
        for entry in fitted.values():
            entry["source"] = "shipped measurements"
        write_table(os.path.join(root, "model", "measurements", "fitted.csv"),
                    ["table", "name", "value", "log_sd", "rows", "source"], fitted)
        print(f"fitted.csv: {len(fitted)} groups")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
