#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of the documents and compares what they print with what the documents show.

A block that opens with ```sh run is run by bash, line for line as a reader would type it; the block
must exit with 0, or with N after ```sh run exit=N. needs=PROGRAM skips the block where PROGRAM is
not installed. A ```text block that directly follows is what the commands print. Blocks that save a
file for later ones: ```csv file=NAME is written to NAME. All blocks of one document share a
directory, which holds run (the program) and examples.

usage: doc_blocks.py [--refresh] DOCUMENT...   Environment: TRAINRIG, RIG_SOURCE_DIR.
--refresh writes what is printed now into the documents.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

FENCE = re.compile(r"^\s*```(.*)$")
# The shipped catalogue was compiled then, so "today" never makes its prices stale.
TODAY = "1796083200"


def read_blocks(lines):
    """(info, first line, end line) of each fenced block; lines first..end-1 are its text."""
    blocks, start, info = [], None, ""
    for number, line in enumerate(lines):
        match = FENCE.match(line)
        if match and start is None:
            start, info = number + 1, match.group(1).strip()
        elif match:
            blocks.append((info, start, number))
            start = None
    if start is not None:
        raise SystemExit(f"block opened at line {start} is never closed")
    return blocks


def environment(work, program):
    path = f"{work / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}"
    kept = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    return {**kept, "PATH": path, "HOME": str(work), "TMPDIR": str(work), "LC_ALL": "C",
            "TERM": "dumb", "SOURCE_DATE_EPOCH": TODAY, "TRAINRIG": program}


def prepare(work, program, source):
    (work / "bin").mkdir()
    (work / "bin" / "trainrig").symlink_to(program)
    (work / "run").symlink_to(program)
    (work / "examples").symlink_to(source / "examples")


def wanted(info, word, default):
    for item in info.split():
        if item.startswith(word + "="):
            return item[len(word) + 1:]
    return default


def run_block(text, work, env):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=work, env=env, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)


class Document:
    def __init__(self, path, is_refresh):
        self.path, self.is_refresh = pathlib.Path(path), is_refresh
        self.lines = self.path.read_text(encoding="utf-8").splitlines()
        self.n_run = self.n_bad = self.n_skipped = 0
        self.changes = []

    def complain(self, line, what):
        print(f"{self.path}:{line}: {what}")
        self.n_bad += 1

    def compare(self, blocks, index, printed):
        """The text block right after a command block shows its output."""
        if index + 1 >= len(blocks):
            return
        info, start, end = blocks[index + 1]
        gap = self.lines[blocks[index][2] + 1:start - 1]
        if info != "text" or any(line.strip() for line in gap):
            return
        shown, now = self.lines[start:end], [line.rstrip() for line in printed.splitlines()]
        if shown == now:
            return
        if self.is_refresh:
            self.changes.append((start, end, now))
            return
        self.complain(start + 1, "the output shown is not what is printed now "
                      "(tools/refresh_docs.sh writes it anew)")
        for old, new in [(o, n) for o, n in zip(shown + [""] * 999, now) if o != n][:5]:
            print(f"  shown: {old}\n  now:   {new}")

    def run(self, program, source):
        blocks = read_blocks(self.lines)
        with tempfile.TemporaryDirectory() as name:
            work = pathlib.Path(name)
            prepare(work, program, source)
            env = environment(work, program)
            for index, (info, start, end) in enumerate(blocks):
                text = textwrap.dedent("\n".join(self.lines[start:end]) + "\n")
                if wanted(info, "file", ""):
                    target = work / wanted(info, "file", "")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(text, encoding="utf-8")
                if info.split()[:2] != ["sh", "run"]:
                    continue
                needed = wanted(info, "needs", "")
                if needed and shutil.which(needed) is None:
                    self.n_skipped += 1
                    continue
                done = run_block(text, work, env)
                self.n_run += 1
                code = int(wanted(info, "exit", "0"))
                if done.returncode != code:
                    self.complain(start + 1, f"exit {done.returncode} instead of {code}")
                    print(done.stderr, end="")
                else:
                    self.compare(blocks, index, done.stdout)

    def save(self):
        for start, end, now in reversed(self.changes):
            self.lines[start:end] = now
        if self.changes:
            self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
            print(f"{self.path}: {len(self.changes)} outputs written anew")


def main(arguments):
    is_refresh = arguments[:1] == ["--refresh"]
    names = arguments[1:] if is_refresh else arguments
    program = os.path.realpath(os.environ["TRAINRIG"])
    source = pathlib.Path(os.environ["RIG_SOURCE_DIR"]).resolve()
    n_run = n_bad = 0
    for name in names:
        document = Document(name, is_refresh)
        document.run(program, source)
        document.save()
        n_run += document.n_run
        n_bad += document.n_bad
        print(f"{name}: {document.n_run} blocks run, {document.n_skipped} skipped, "
              f"{document.n_bad} failures")
        if document.n_run == 0:
            n_bad += 1
            print(f"{name}: no block to run")
    return 0 if n_bad == 0 and n_run > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
