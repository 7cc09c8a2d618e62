#!/bin/sh
# `swift test` on what is built, once for each argument: the options of that run. A run goes on where one before it
# failed. What failed is told once more at the end: it stands far up among thousands of lines, and a log that is cut
# shows its end.
set -u
log=.build/test.log
status=.build/test.status
failures=.build/test.failures
: > "$failures"
for options in "$@"; do
    {
        eval "\"${SWIFT:-swift}\" test --skip-build $options" 2>&1
        echo $? > "$status"
    } | tee "$log"
    [ "$(cat "$status")" = 0 ] && continue
    {
        echo "swift test $options: exit code $(cat "$status")"
        awk '/recorded an issue|Fatal error|unexpected signal|^error:/ { print; details = 6; next }
             /^[◇✔✘]/ { details = 0 }
             details > 0 { print; details -= 1 }' "$log" | cut -c 1-400 | tail -n 40
    } >> "$failures"
done
[ -s "$failures" ] || exit 0
echo
echo "What failed:"
cat "$failures"
exit 1
