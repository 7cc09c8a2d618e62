#!/bin/sh
# `swift test` with the given arguments on what is built. Where tests fail, their lines come once more at the end:
# they stand far up among thousands of others, and a log that is cut shows its end.
set -u
log=.build/test.log
status=.build/test.status
{
    "${SWIFT:-swift}" test --skip-build "$@" 2>&1
    echo $? > "$status"
} | tee "$log"
[ "$(cat "$status")" = 0 ] && exit 0
echo
echo "What failed:"
awk '/recorded an issue|Fatal error|unexpected signal|^error:/ { print; details = 6; next }
     /^[◇✔✘]/ { details = 0 }
     details > 0 { print; details -= 1 }' "$log" | cut -c 1-400 | tail -n 60
exit "$(cat "$status")"
