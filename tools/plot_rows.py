#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of residual files as data and commands for gnuplot: plot_rows.py DIRECTORY OUT STACKS

DIRECTORY holds system.csv and gpu.csv, residuals of cross-validations by these keys. STACKS is the
table of software stacks, which tells their families. OUT receives
SVG files: predicted against measured, residuals against what they may depend on, coverage by group.
Points are thinned by a hash of their names, so that the same rows give the same bytes.
"""
import csv
import hashlib
import math
import os
import re
import statistics
import subprocess
import sys

POINTS = 130  # of one panel
ROWS_MIN = 20  # of a group whose coverage is shown
FAMILY_COLOURS = {"tuned": "#0072b2", "eager": "#d55e00", "graph": "#009e73", "": "#555555"}
LEGEND = {"tuned": "fused kernels", "eager": "eager", "graph": "graph", "": "no GPU"}
LIMIT = 50.0  # percent; larger residuals stand at the edge
HEAD = """set terminal svg size {width},{height} dynamic font 'sans-serif,12' noenhanced background rgb 'white'
set output '{path}'
set border 3 lc rgb '#404040'
set tics nomirror
set grid lc rgb '#dddddd' lt 1
set ytics font ',11'
"""


def read(path, families):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["log_ratio"]]
    for row in rows:
        row["family"] = families.get(row["stack"], "")
        row["x"] = float(row["observed_images_per_s"])
        row["y"] = float(row["predicted_images_per_s"])
        row["off"] = 100.0 * (math.exp(float(row["log_ratio"])) - 1.0)
    return rows


def order(row):
    """A fixed shuffle: files with similar lines are thinned evenly."""
    return hashlib.md5(f"{row['file']}:{row['line']}".encode(), usedforsecurity=False).hexdigest()


def thin(rows, most):
    return sorted(rows, key=order)[:most]


def block(name, points):
    lines = [" ".join(format(value, ".5g") for value in point) for point in points]
    return f"${name} << EOD\n" + "\n".join(lines or ["NaN NaN"]) + "\nEOD\n"


def circle(match):
    x, y, scale, *colour = match.groups()
    fill = "".join(f"{int(part):02x}" for part in colour)
    return f"<circle cx='{x}' cy='{y}' r='{float(scale) * 0.9:.2g}' fill='#{fill}' stroke='none'/>"


def run(script, path):
    """Draws, and takes out of the file what differs between versions or only fills it."""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"<desc>.*?</desc>", "", text, flags=re.S).replace(
        "<title>Gnuplot</title>", f"<title>{os.path.basename(path)[:-4]}</title>")
    text = re.sub(r"<use xlink:href='#gpPt6' transform='translate\(([\d.]+),([\d.]+)\) "
                  r"scale\(([\d.]+)\)' color='rgb\( *(\d+), *(\d+), *(\d+)\)'/>", circle, text)
    text = "\n".join(line.strip() for line in text.splitlines() if line.strip()) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{os.path.basename(path)}: {os.path.getsize(path)} bytes")


# ---- predicted against measured -----------------------------------------------------------------

KINDS = (("system", "Complete systems", 1e3, 1e6), ("gpu", "Training rates", 1e1, 1e5),
         ("cpu", "Preparation alone", 1e1, 1e5), ("storage", "Reading alone", 1e2, 1e6))


def plot_predicted(rows, path):
    script = HEAD.format(width=760, height=720, path=path)
    script += "set multiplot layout 2,2\nset logscale xy\nset format xy '%.0s%c'\n"
    script += "set key top left reverse Left samplen 0.5\n"
    for kind, title, low, high in KINDS:
        own = [row for row in rows if row["kind"] == kind]
        points = thin(own, POINTS)
        script += f"set title '{title}: {len(own)} rows'\n"
        script += f"set xrange [{low:g}:{high:g}]\nset yrange [{low:g}:{high:g}]\n"
        script += "set xlabel 'measured [images/s]'\nset ylabel 'predicted, held out [images/s]'\n"
        plots = ["x with lines lc rgb '#404040' lw 1 notitle",
                 "1.1*x with lines lc rgb '#b0b0b0' dt 2 notitle",
                 "x/1.1 with lines lc rgb '#b0b0b0' dt 2 notitle"]
        for family, colour in FAMILY_COLOURS.items():
            of = [row for row in points if row["family"] == family]
            if of:
                name = f"{kind}_{family or 'none'}"
                script += block(name, [(row["x"], row["y"]) for row in of])
                plots.append(f"${name} with points pt 7 ps 0.35 lc rgb '{colour}' "
                             f"title '{LEGEND[family]}'")
        script += "plot " + ", ".join(plots) + "\n"
    run(script + "unset multiplot\n", path)


# ---- residuals ----------------------------------------------------------------------------------

PANELS = (("gpu_year", "year of the GPU", False, 0.25),
          ("gpu_mem_gbs", "GPU memory bandwidth [GB/s]", True, 0.0),
          ("batch_per_gpu", "images per GPU and step", True, 0.02),
          ("gpu_count", "GPUs of a node", True, 0.04))


def clamp(off):
    return max(-LIMIT, min(LIMIT, off))


def medians(values, is_log):
    """Median of the residuals by bins of the abscissa, of bins with ten rows or more."""
    bins = {}
    for x, off in values:
        key = round(math.log2(x) * 2) if is_log else round(x)
        bins.setdefault(key, []).append((x, off))
    out = []
    for key in sorted(bins):
        if len(bins[key]) >= 10:
            out.append((statistics.median(x for x, _ in bins[key]),
                        clamp(statistics.median(off for _, off in bins[key]))))
    return out


def spread(row, width, is_log):
    """Rows at the same place are drawn side by side."""
    shift = width * (int(order(row)[-4:], 16) / 32768.0 - 1.0)
    return lambda x: x * 10.0 ** shift if is_log else x + shift


def plot_residuals(rows, what, path):
    own = [row for row in rows if row["kind"] in ("system", "gpu")]
    script = HEAD.format(width=760, height=640, path=path)
    script += "set multiplot layout 2,2 title 'Training rates, "
    script += f"{what}: {len(own)} rows, the line is the median'\n"
    script += f"set yrange [{-LIMIT}:{LIMIT}]\nset ylabel 'predicted over measured [%]'\n"
    script += "set key off\n"
    for column, label, is_log, width in PANELS:
        values = [row for row in own if row[column]]
        script += f"set xlabel '{label}'\n" + ("set logscale x 10\n" if is_log else "unset logscale\n")
        if column in ("batch_per_gpu", "gpu_count"):
            script += "set logscale x 2\n"
        script += "set autoscale x\n" + ("set xtics 2\n" if column == "gpu_year" else "set xtics auto\n")
        plots = ["0 with lines lc rgb '#404040'"]
        points = thin(values, POINTS)
        for family, colour in FAMILY_COLOURS.items():
            of = [row for row in points if row["family"] == family]
            if of:
                name = f"{column}_{family or 'none'}"
                script += block(name, [(spread(row, width, is_log)(float(row[column])),
                                        clamp(row["off"])) for row in of])
                plots.append(f"${name} with points pt 7 ps 0.35 lc rgb '{colour}'")
        script += block(f"{column}_median",
                        medians([(float(row[column]), row["off"]) for row in values], is_log))
        plots.append(f"${column}_median with lines lw 2 lc rgb '#000000'")
        script += "plot " + ", ".join(plots) + "\n"
    run(script + "unset multiplot\n", path)


# ---- coverage -----------------------------------------------------------------------------------

def coverage(rows, by):
    groups = {}
    for row in rows:
        if row[by]:
            groups.setdefault(row[by], []).append(row["is_covered"] == "true")
    return {name: 100.0 * sum(of) / len(of) for name, of in groups.items() if len(of) >= ROWS_MIN}


def plot_coverage(by_key, path):
    keys = list(by_key)
    groups = []
    for by in ("kind", "stack", "source"):
        found = [coverage(by_key[key], by) for key in keys]
        names = sorted(set().union(*found))
        groups += [(f"{by}: {name}"[:44], [of.get(name) for of in found]) for name in names]
    groups.reverse()
    script = HEAD.format(width=760, height=90 + 19 * len(groups), path=path)
    script += "set title 'Rows inside their 90 % interval, groups of 20 rows or more'\n"
    script += f"set xrange [0:100]\nset yrange [-1:{len(groups)}]\nset xlabel 'percent'\n"
    script += "set key outside top center horizontal\nunset ytics\n"
    script += "set ytics (" + ", ".join(
        "'{}' {}".format(name.replace("'", ""), i)
        for i, (name, _) in enumerate(groups)) + ")\n"
    script += "set object 1 rectangle from 85,graph 0 to 95,graph 1 fc rgb '#e8f0e8' fs solid "
    script += "noborder behind\n"
    plots = []
    for k, key in enumerate(keys):
        script += block(f"coverage_{k}", [(of[k], i + 0.15 * (0.5 - k)) for i, (_, of)
                                          in enumerate(groups) if of[k] is not None])
        colour = ("#0072b2", "#d55e00")[k]
        plots.append(f"$coverage_{k} with points pt {(7, 9)[k]} ps 0.7 lc rgb '{colour}' "
                     f"title '{key} left out'")
    run(script + "plot " + ", ".join(plots) + "\n", path)


def main(directory, out, stacks):
    with open(stacks, newline="", encoding="utf-8") as file:
        families = {row["name"]: row["family"] for row in csv.DictReader(file)}
    by_key = {key: read(os.path.join(directory, key + ".csv"), families)
              for key in ("system", "gpu")}
    os.makedirs(out, exist_ok=True)
    plot_predicted(by_key["system"], os.path.join(out, "predicted.svg"))
    plot_residuals(by_key["system"], "system never seen", os.path.join(out, "residuals-system.svg"))
    plot_residuals(by_key["gpu"], "GPU never seen", os.path.join(out, "residuals-gpu.svg"))
    plot_coverage(by_key, os.path.join(out, "coverage.svg"))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3])
