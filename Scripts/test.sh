#!/bin/sh
# `swift test` on what is built, once for each argument: the options of that run. It waits for the run before it, unless
# `+` stands between them; with `nice` before its options it takes what others leave of the cores. A run goes on where
# one before it failed. What took longest and what failed is told at the end: it stands far up among thousands of lines,
# and a log that is cut shows its end.
set -u
logs=.build/test
rm -rf "$logs"
mkdir -p "$logs"

# run NUMBER OPTIONS: keeps what is said, the exit code, and how long it took. SwiftPM's lock is for builds. Each run is a
# session, and nice as such, where the kernel shares the cores between sessions: there niceness counts inside of one.
# shellcheck disable=SC2016 # the inner shell expands
run() {
    options=${2#nice }
    niceness=0
    [ "$options" = "$2" ] || niceness=10
    {
        started=$(date +%s)
        eval "setsid -w nice -n $niceness sh -c '
            echo \$\$ >\"\$0\"
            echo $niceness 2>/dev/null >/proc/self/autogroup
            exec \"\$@\"' $logs/$1.session \"${SWIFT:-swift}\" test --skip-build --ignore-lock $options" 2>&1
        echo "$? $(($(date +%s) - started))" >"$logs/$1.end"
        rm -f "$logs/$1.session"
    } | tee "$logs/$1.log"
}

# awaitStart NUMBER: until its tests begin, a minute at most. Before that SwiftPM reads and writes files of the build
# folder, and one of five that began together ended by a bus error.
awaitStart() {
    tries=0
    until [ -e "$logs/$1.end" ] || grep -q 'Test run started' "$logs/$1.log" 2>/dev/null || [ $tries -ge 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# tell NUMBER OPTIONS: how long the run took, and what failed in it.
tell() {
    read -r code seconds <"$logs/$1.end" || code=interrupted
    echo "${seconds:-?} s: swift test ${2#nice }" >>"$logs/times"
    # Those of a run in the background all begin at once, and wait for one another.
    [ "${2#nice }" != "$2" ] ||
        sed -n 's/^[✔✘] Test \(.*\) \(passed\|failed\) after \([0-9]*\)\.[0-9]* seconds.*/\3 s: \1/p' \
            "$logs/$1.log" | grep -v ' s: run with ' >>"$logs/longest"
    [ "$code" != 0 ] || return 0
    {
        echo "swift test ${2#nice }: exit code $code"
        awk '/recorded an issue|Fatal error|unexpected signal|^error:/ { print; details = 6; next }
             /^[◇✔✘]/ { details = 0 }
             details > 0 { print; details -= 1 }' "$logs/$1.log" | cut -c 1-400 | tail -n 40
    } >>"$logs/failures"
}

# Each run has a session of its own, which ends with this script.
end() {
    for session in "$logs"/*.session; do
        [ ! -s "$session" ] || pkill -TERM -s "$(cat "$session")"
    done
}
trap end EXIT
trap 'exit 130' INT TERM HUP

number=0
for options in "$@"; do
    case $options in
        +) isBeside=yes && continue ;;
    esac
    [ -n "${isBeside:-}" ] || wait
    isBeside=
    number=$((number + 1))
    run "$number" "$options" &
    awaitStart "$number"
done
wait
number=0
for options in "$@"; do
    [ "$options" != + ] || continue
    number=$((number + 1))
    tell "$number" "$options"
done
echo
echo "What took longest:"
[ ! -e "$logs/longest" ] || sort -rn "$logs/longest" | head -n 15
echo
cat "$logs/times"
[ -s "$logs/failures" ] || exit 0
echo
echo "What failed:"
cat "$logs/failures"
exit 1
