#!/bin/sh
# Changed bytes into the doors of Tests/DoorTests/Doors, JOBS of them at once; a line for each: inputs tried, inputs a
# second, peak memory. An input that fails is left in .build/fuzz, with the door's log beside it.
#
# Usage: [JOBS=N] [FUZZ_RUNS=N | FUZZ_SECONDS=N] Scripts/fuzz.sh DOOR…, after the build of `make fuzz`.
# The exit status is 1 where a door failed.
set -u
cd "$(dirname "$0")/.." || exit 1
# As many inputs are made of each of libFuzzer's (Fuzz/Fuzz.swift).
each=32
# Else Swift's own handler ends the program before libFuzzer has kept the input.
export SWIFT_BACKTRACE=enable=no

if [ "${1-}" != --one ]; then
    printf '%-10s %12s %10s %8s\n' door inputs inputs/s MB
    printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -n 1 Scripts/fuzz.sh --one || exit 1
    exit
fi

door=$2
if [ -n "${FUZZ_RUNS-}" ]; then
    amount=-runs=$(((FUZZ_RUNS + each - 1) / each))
else
    amount=-max_total_time=${FUZZ_SECONDS:-20}
fi
mkdir -p ".build/fuzz/found/$door"
.build/fuzz/release/fuzz --door="$door" --each=$each --samples=".build/fuzz/found/$door" \
    -max_len=4096 -timeout=10 -rss_limit_mb=1024 "$amount" -print_final_stats=1 -verbosity=0 \
    -artifact_prefix=".build/fuzz/$door-" ".build/fuzz/found/$door" Fuzz/Corpus >".build/fuzz/$door.log" 2>&1 ||
    { tail -n 30 ".build/fuzz/$door.log"; echo "$door failed: .build/fuzz/$door.log"; exit 1; }
awk -v door="$door" -v each=$each '
    /number_of_executed_units/ { inputs = each * $2 }
    /average_exec_per_sec/ { rate = each * $2 }
    /peak_rss_mb/ { memory = $2 }
    END { printf "%-10s %12d %10d %8d\n", door, inputs, rate, memory }' ".build/fuzz/$door.log"
