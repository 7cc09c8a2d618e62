#!/usr/bin/env python3
"""Checks the Spin models of this folder: every reachable state of small worlds (docs/TESTING.md, "The models").

    spin.py [--small] [NAME...]

Each world is checked whole; then each rule is left out in turn (-DBREAK_rule), and the world named beside it must fail.
--small takes one world and one rule, in seconds. Prints the states of each; exit status 1 if a world fails,
or does not where it should. It needs `spin` and a C compiler, and up to 8 GB of memory.
"""
import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SMALL, FULL = "small", "full"

# (model, size, whether it is also searched for endless talk, flags)
WORLDS = [
    ("lane", SMALL, False, "-DSEQS=2 -DPEERS=2 -DROTS=1"),
    ("lane", FULL, True, "-DSEQS=2 -DPEERS=2 -DROTS=1"),
    ("lane", FULL, False, "-DPEERS=2"),
    ("lane", FULL, True, "-DSEQS=2 -DPEERS=2 -DRESTORES=1"),
    ("lane", FULL, False, "-DSEQS=2"),
    ("lane", FULL, True, "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, False, "-DSEQS=2 -DBREAKS=1"),
    ("lane", FULL, False, "-DSEQS=2 -DROTS=1"),
    ("lane", FULL, False, "-DSEQS=3 -DPEERS=2 -DDEATHS=1 -DBREAKS=1"),
    ("lane", FULL, False, "-DSEQS=3 -DPEERS=2 -DRESTORES=1"),
    ("ledger", FULL, False, ""),
    ("ledger", FULL, False, "-DGROUP"),
]
# (model, size, rule, flags of a world that fails without it)
RULES = [
    ("lane", SMALL, "unbacked_for_ever", "-DSEQS=2 -DPEERS=2 -DRESTORES=1"),
    ("lane", FULL, "unbacked_believed", "-DSEQS=2 -DPEERS=2 -DRESTORES=1"),
    ("lane", FULL, "have_stands_for_nothing", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "page_beyond_head", "-DPEERS=2"),
    ("lane", FULL, "have_keeps_fingerprint", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "have_without_since", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "range_ends_at_heads", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "asks_nobody_else", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "union", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "compare_only_clean", "-DSEQS=2 -DDEATHS=1"),
    ("lane", FULL, "compare_once", "-DSEQS=3 -DPEERS=2 -DRESTORES=1"),
    ("lane", FULL, "ignore_own_fork", "-DSEQS=3 -DPEERS=2 -DRESTORES=1"),
    ("ledger", FULL, "removes_intersected", ""),
    ("ledger", FULL, "anybody_removes", ""),
    ("ledger", FULL, "lapsed_for_ever", ""),
    ("ledger", FULL, "remove_keeps_all", "-DGROUP"),
    ("ledger", FULL, "ways_dropped", ""),
    ("ledger", FULL, "removed_endorses", ""),
    ("ledger", FULL, "children_fall", ""),
    ("ledger", FULL, "since_keeps_late_records", ""),
    ("ledger", FULL, "remove_keeps_words", "-DGROUP"),
    ("ledger", FULL, "dismissal_by_revision", "-DGROUP"),
]


def check(model, flags, for_cycles, optimised):
    """The number of states, and what the search found: nothing, or the first error."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            return subprocess.run(command, cwd=folder, capture_output=True, text=True)
        made = run("spin", *flags, "-a", str(FOLDER / f"{model}.pml"))
        kind = () if for_cycles else ("-DSAFETY",)
        built = run("cc", optimised, *kind, "-DCOLLAPSE", "-DNOREDUCE", "-DMEMLIM=8000", "-w", "-o", "pan", "pan.c")
        if made.returncode or built.returncode:
            sys.exit(f"{model} {' '.join(flags)}: {made.stdout}{made.stderr}{built.stderr}")
        out = run("./pan", "-m1000000", *(("-a",) if for_cycles else ())).stdout
        states = re.search(r"(\d+) states, stored", out)
        error = re.search(r"pan:1: (.*)", out)
        if not error and ("errors: 0" not in out or "Search not completed" in out):
            sys.exit(f"{model} {' '.join(flags)}: the search did not end\n{out}")
        return int(states.group(1)), error and error.group(1)


def main():
    parser = argparse.ArgumentParser(description="Checks the Spin models.")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("names", nargs="*", help="of models or rules; without, all")
    options = parser.parse_args()
    sizes = (SMALL,) if options.small else (SMALL, FULL)
    bad = 0
    jobs = [(model, None, flags, cycles) for model, size, cycles, flags in WORLDS if size in sizes]
    jobs += [(model, rule, flags, False) for model, size, rule, flags in RULES if size in sizes]
    for model, rule, flags, cycles in jobs:
        if options.names and not {model, rule} & set(options.names):
            continue
        started = time.monotonic()
        given = flags.split() + ([f"-DBREAK_{rule}"] if rule else [])
        states, error = check(model, given, cycles or bool(rule) and model == "lane", "-O0" if options.small else "-O2")
        is_good = bool(error) == bool(rule)
        bad += not is_good
        outcome = f"FAILED: {error}" if error and not rule else "NOT SEEN" if rule and not error else "seen" if rule else "holds"
        print(f"{model} {' '.join(given):60} {states:>10} states {time.monotonic() - started:6.0f} s  {outcome}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
