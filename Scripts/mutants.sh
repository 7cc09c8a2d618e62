#!/bin/sh
# Plants the bugs of Tests/Mutants, one at a time, in a copy of the sources, and demands that the test which a patch names
# fails. A patch begins with three lines: `Rule:` that it breaks, `Test:` that sees it, as `swift test --filter` takes
# it, with its module, and `Seeds: VARIABLE=FIRST..LAST` that were enough when this was last looked at (`none` of a test
# that has none); where they are not, more are tried.
#
# Usage: [SOON=1] Scripts/mutants.sh [NAME…]; without names, all. With SOON, seeds are tried one by one from 1 on, and
# what is printed are rows of the table in docs/TESTING.md: the bug, its rule, and the first seed that shows it. The copy
# stays in .build/mutants: the next run builds less.
# The exit status is 1 where a bug was not seen, where a patch does not apply, and where what it makes does not compile.
# shellcheck disable=SC2012,SC2046,SC2086 # names without blanks, and commands in variables
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
copy=$root/.build/mutants
swift=${SWIFT:-swift}
# Neither a build nor a test takes as long as this, in seconds, on a machine that has much else to do; who stops this
# script stops them, too.
bounded="timeout --foreground -k 10 900"

[ $# -gt 0 ] || set -- $(ls Tests/Mutants | sed -n 's/\.patch$//p')
tests=$(for name; do sed -n 's/^Test: //p' "Tests/Mutants/$name.patch"; done | sort -u)

mkdir -p "$copy/logs"
rm -rf "$copy/Sources" "$copy/Tools" "$copy/Tests" "$copy/Fuzz" "$copy/Examples"
cp -Rp Sources Tools Tests Fuzz Examples "$copy"
# The models, against which some tests hold the code.
mkdir -p "$copy/docs"
cp -Rp docs/models "$copy/docs"
cp Package.swift "$copy"
# Only the tests that these patches name, and what they need.
cat >>"$copy/Package.swift" <<END

var needed: Set<String> = [$(echo "$tests" | sed 's/\..*//' | sort -u | sed 's/.*/"&",/')]
END
cat >>"$copy/Package.swift" <<'END'
// More often than any chain of dependencies is long.
for _ in package.targets {
    for target in package.targets where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
}
package.products = []
package.targets.removeAll { !needed.contains($0.name) }
END
cd "$copy" || exit 1
# The copy lies in a repository, and is none: git takes the patches' paths as they are.
export GIT_DIR=/nonexistent SWIFT_BACKTRACE=enable=no

build() { $bounded "$swift" build --build-tests >"$1" 2>&1; }

# fails TEST LOG VARIABLE=SEEDS…: whether the test says so; one that does not run at all fails nothing.
fails() (
    filter=$1
    log=$2
    shift 2
    env "$@" $bounded .build/debug/kachat-nodePackageTests.xctest --testing-library swift-testing --filter "$filter" \
        >"$log" 2>&1 && return 1
    grep -q 'recorded an issue\|Fatal error\|Precondition failed' "$log"
)

build logs/build.log || { tail -n 40 logs/build.log; exit 1; }
# A test that fails anyhow sees nothing.
for test in $tests; do
    ! fails "$test" logs/control.log HISTORIES=0..9 GROUP_HISTORIES=0..9 || { cat logs/control.log; exit 1; }
    ! grep -q 'Test run with 0 tests' logs/control.log || { echo "No test is named $test"; exit 1; }
done
failures=0
for name in "$@"; do
    patch=$root/Tests/Mutants/$name.patch
    test=$(sed -n 's/^Test: //p' "$patch")
    seeds=$(sed -n 's/^Seeds: //p' "$patch")
    variable=${seeds%%=*}
    hint=${seeds#*=}
    tried=$hint
    [ -z "${SOON-}" ] || [ "$seeds" = none ] || tried=$(seq 1 "${hint#*..}" | sed 's/.*/&..&/')
    started=$(date +%s)
    if ! git apply "$patch" 2>"logs/$name.log"; then
        outcome="DOES NOT APPLY"
    elif ! build "logs/$name.log"; then
        outcome="DOES NOT COMPILE"
    else
        outcome="NOT SEEN"
        for range in $tried 1..10 11..40 41..100 101..400 401..1000 1001..3000; do
            fails "$test" "logs/$name.log" "$variable=$range" || continue
            outcome="seen"
            case " $tried " in
                *"$range"*) ;;
                *) outcome="seen, with other seeds: $(sed -n "s/.*$variable=\([0-9]*\.\.[0-9]*\).*/\1/p
                    s/^↳ seed \([0-9]*\),.*/\1..\1/p" "logs/$name.log" | head -n 1)" ;;
            esac
            break
        done
    fi
    case $outcome in
        seen*) ;;
        *) failures=$((failures + 1)) ;;
    esac
    git apply -R "$patch" 2>/dev/null
    if [ -z "${SOON-}" ]; then
        printf '%-40s %4d s  %s\n' "$name" "$(($(date +%s) - started))" "$outcome"
    else
        seed=""
        [ "$seeds" = none ] || seed=", seed ${range##*.}"
        [ "$outcome" != seen ] || outcome="\`${test#*.}\`$seed"
        printf '| `%s` | %s | %s |\n' "$name" "$(sed -n 's/^Rule: //p' "$patch")" "$outcome"
    fi
done
[ "$failures" = 0 ] || { echo "$failures of $# planted bugs: see $copy/logs"; exit 1; }
