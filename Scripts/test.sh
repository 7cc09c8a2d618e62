#!/bin/sh
# `swift test` on what is built, once for each argument: the options of that run. A run goes on where one before it
# failed. BESIDE holds the options of one more, which takes what the others leave of the cores, and is shown after
# them. What failed is told once more at the end: it stands far up among thousands of lines, and a log that is cut
# shows its end.
set -u
logs=.build/test
rm -rf "$logs"
mkdir -p "$logs"

# run NAME OPTIONS [BEFORE]: the exit code and how long it took are kept. SwiftPM's lock is for builds.
run() {
    started=$(date +%s)
    eval "${3:-} \"${SWIFT:-swift}\" test --skip-build --ignore-lock $2" 2>&1
    echo "$? $(($(date +%s) - started))" >"$logs/$1.end"
}

# tell NAME OPTIONS: how long the run took, and what failed in it.
tell() {
    read -r code seconds <"$logs/$1.end" || code=interrupted
    echo "${seconds:-?} s: swift test $2" >>"$logs/times"
    [ "$code" != 0 ] || return 0
    {
        echo "swift test $2: exit code $code"
        awk '/recorded an issue|Fatal error|unexpected signal|^error:/ { print; details = 6; next }
             /^[◇✔✘]/ { details = 0 }
             details > 0 { print; details -= 1 }' "$logs/$1.log" | cut -c 1-400 | tail -n 40
    } >>"$logs/failures"
}

beside=
if [ -n "${BESIDE:-}" ]; then
    # A session of its own has a group of its own, which goes with this script whatever ends it.
    # shellcheck disable=SC2016 # the inner shell tells its number
    alone='setsid -w nice -n 19 sh -c '\''echo $$ >"$0" && exec "$@"'\'
    run beside "$BESIDE" "$alone $logs/beside.pid" >"$logs/beside.log" &
    beside=$!
    trap 'kill -TERM -- "-$(cat "$logs/beside.pid" 2>/dev/null)" 2>/dev/null' EXIT
    trap 'exit 130' INT TERM HUP
fi
number=0
for options in "$@"; do
    number=$((number + 1))
    run "$number" "$options" | tee "$logs/$number.log"
    tell "$number" "$options"
done
if [ -n "$beside" ]; then
    wait "$beside"
    rm -f "$logs/beside.pid"
    cat "$logs/beside.log"
    tell beside "$BESIDE"
fi
echo
cat "$logs/times"
[ -s "$logs/failures" ] || exit 0
echo
echo "What failed:"
cat "$logs/failures"
exit 1
