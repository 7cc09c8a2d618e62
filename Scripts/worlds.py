#!/usr/bin/env python3
"""Plays simulated worlds, one for each seed, and adds up what was seen and checked.

Usage: Scripts/worlds.py [--sim PROGRAM] [--jobs N] FIRST..LAST

What a seed plays (how many nodes, for how long, who writes, whether disks fail and one device lies) is drawn from it. Each
world is a process of its own: one that traps or hangs is a failure like any other. A failure is told at once, with the
command that replays it. An interruption ends the run early, and what was played is still added up.
The exit status is 1 where a world failed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import time

# No world takes as long, in seconds, on a machine that has much else to do.
PATIENCE = 600


def shape(seed):
    """The options of a seed's world."""
    draw = random.Random(seed)
    workload = draw.choice(["group", "group", "messages", "day"])
    nodes = draw.randint(3, 9) if workload == "group" else draw.randint(2, 6)
    options = ["--nodes", str(nodes), "--hours", str(draw.choice([0.05, 0.1, 0.2])), "--workload", workload]
    if draw.random() < 0.8:
        options.append("--disk")
    if workload != "group" and draw.random() < 0.2:
        options.append("--liar")
    return options


def play(program, seed):
    """What a world reports, or None and what went wrong."""
    command = [program, "--seed", str(seed), *shape(seed)]
    replay = " ".join(["kachat-sim", *command[1:]])
    try:
        run = subprocess.run([*command, "--json"], capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None, f"{replay}: not done after {PATIENCE} s"
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return None, f"{replay}: exit status {run.returncode}: {run.stderr.decode(errors='replace')[-500:]}"
    return report, None if report["passed"] else f"{replay}: {'; '.join(report['failures'])}"


def main():
    arguments = argparse.ArgumentParser(description="Plays simulated worlds, one for each seed.")
    arguments.add_argument("--sim", default=".build/release/kachat-sim", help="the simulator")
    arguments.add_argument("--jobs", type=int, default=2, help="worlds at once")
    arguments.add_argument("seeds", metavar="FIRST..LAST")
    given = arguments.parse_args()
    try:
        first, last = (int(number) for number in given.seeds.split(".."))
    except ValueError:
        arguments.error(f"{given.seeds} is not FIRST..LAST, such as 1..1000")
    if not os.access(given.sim, os.X_OK):
        arguments.error(f"there is no program {given.sim}: make builds it")

    # A job in the background ignores an interruption, so both end the run.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    start = time.monotonic()
    worlds, counts, checks, failed = collections.Counter(), collections.Counter(), collections.Counter(), []

    def summary():
        seconds = time.monotonic() - start
        return f"{sum(worlds.values())} worlds from {first} on, {len(failed)} failed, {seconds:.0f} s"

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        try:
            for report, failure in pool.map(lambda seed: play(given.sim, seed), range(first, last + 1)):
                if failure:
                    failed.append(failure)
                    print(f"FAILED {failure}", flush=True)
                if report:
                    extras = [name for name in ("disk", "liar") if report[name]]
                    worlds[" ".join([report["workload"], *extras])] += 1
                    counts.update(report["counts"])
                    checks.update(report["checks"])
                else:
                    worlds["not ended"] += 1
                if sum(worlds.values()) % 1000 == 0:
                    print(summary(), flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    for title, sums in (("worlds", worlds), ("seen", counts), ("checked", checks)):
        print(f"{title}:")
        for name, number in sorted(sums.items()):
            print(f"  {name}: {number}")
    print(summary())
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
