#!/bin/sh
# Installs the package that `make deb` made in a fresh Debian 12, runs a node there on its loopback, as a user, and
# removes it again. Needs root and the mirror that apt uses here; without one of them it is skipped, with the reason.
#
# The package is built by the user, whose PATH has the toolchain, and whose .build it is; only what is behind that runs as
# root, by sudo. So `make check-deb` and `sudo make check-deb` do the same.
# shellcheck disable=SC2016 # what is quoted is expanded by other shells, and by apt
set -eu
umask 022
export LC_ALL=C
cd "$(dirname "$0")/.."

suite=bookworm
# Stripped, with the Swift library in it: what a download and a small disk can bear.
most_bytes=25000000

skip() {
    echo "check-deb: skipped: $1"
    exit 0
}
# debootstrap and chroot are in folders that a user's PATH may lack.
PATH=$PATH:/usr/sbin:/sbin

if [ "${1:-}" != --as-root ]; then
    if [ "$(id -u)" -eq 0 ] && [ "${SUDO_USER:-root}" != root ] && [ "$(stat -c %u .)" -ne 0 ]; then
        su -l "$SUDO_USER" -c "cd '$PWD' && ${MAKE:-make} --no-print-directory deb"
    else
        "${MAKE:-make}" --no-print-directory deb
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || skip "needs root, for chroot(2), and there is no sudo"
        sudo -v || skip "needs root, for chroot(2)"
        sudo Scripts/setup.sh check-deb
        exec sudo "TMPDIR=${TMPDIR:-/tmp}" "$PWD/Scripts/check-deb.sh" --as-root
    fi
    Scripts/setup.sh check-deb
fi
[ "$(id -u)" -eq 0 ] || skip "needs root, for chroot(2)"
for tool in debootstrap unshare lintian; do
    command -v "$tool" >/dev/null || skip "there is no $tool"
done
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" "Created-By: Packages" | head -n 1)
[ -n "$mirror" ] || skip "apt knows no mirror of $suite here (apt-get update may help)"
package=.build/kachat-node_$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)_$(dpkg --print-architecture).deb
[ -e "$package" ] || { echo "check-deb: there is no $package: run \`make deb\`" >&2; exit 1; }

root=$(mktemp -d "${TMPDIR:-/tmp}/kachat-debian-XXXXXX")
# It is the `/` of a user without rights.
chmod 755 "$root"
passed=0 failed=0
trap 'rm -rf --one-file-system "$root" "$root.log"' EXIT
trap 'exit 130' INT TERM

check() {
    what=$1
    shift
    if "$@" >"$root.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $what"
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        sed 's/^/    /' "$root.log"
    fi
    rm -f "$root.log"
}

# In the root: no processes, mounts and network but its own; all that it starts ends with it.
inside() {
    unshare --mount --pid --net --fork --kill-child --propagation private sh -c '
        ip link set lo up
        mount -t proc proc "$0/proc"
        exec chroot "$0" "$@"' "$root" "$@"
}
# In the root with the network, for apt alone.
online() {
    unshare --mount --pid --fork --kill-child --propagation private sh -c '
        mount -t proc proc "$0/proc"
        exec chroot "$0" env DEBIAN_FRONTEND=noninteractive "$@"' "$root" "$@"
}
as_user() {
    inside su -l tester -c "set -eu; umask 077; $1"
}

echo "A fresh $suite below $root"
if ! debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1; then
    tail -n 5 "$root.log"
    rm -f "$root.log"
    skip "debootstrap could not make a root from apt's mirror"
fi
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/kachat-node.deb"
inside useradd --create-home --shell /bin/bash tester

check "it installs, with what it depends on" online apt-get install -y -q --no-install-recommends /kachat-node.deb
check "all libraries are there" sh -c '! chroot "$0" ldd /usr/bin/kachat-node | grep "not found"' "$root"
check "the program has at most $most_bytes bytes" \
    sh -c 'size=$(stat -c %s "$0/usr/bin/kachat-node"); echo "$size bytes"; [ "$size" -le "$1" ]' "$root" "$most_bytes"
check "what it brought is as it was packed" inside dpkg --verify kachat-node
check "its manual page and completions are where man(1) and the shells look" sh -c '
    zcat "$0/usr/share/man/man1/kachat-node.1.gz" | grep -q "kachat\\\\-node leaderboard history"
    for shell in bash-completion/completions/kachat-node zsh/vendor-completions/_kachat-node \
        fish/vendor_completions.d/kachat-node.fish; do
        grep -q archive.ageSeconds "$0/usr/share/$shell" || { echo "$shell"; exit 1; }
    done' "$root"
check "a user makes a node" as_user 'kachat-node init --name box >/dev/null && [ -s .local/share/kachat-node/identity ]'
check "it serves: status, a message, healthz; and ends" as_user '
    kachat-node run --discovery lo --api 127.0.0.1:0 >ready &
    node=$!
    tries=0
    until grep -q ready ready; do
        tries=$((tries + 1))
        [ "$tries" -le 200 ] || { echo "it was not ready within 20 s"; exit 1; }
        sleep 0.1
    done
    txid=$(printf %064d 1)
    kachat-node message add <<END
{"txid":"$txid","conversationId":"alice","contact":"alice","direction":"received","senderTs":1103966040,"body":"hi"}
END
    kachat-node message show "$txid"
    kachat-node status --json | grep "\"messages\":1"
    port=$(sed "s/.*\"api\":\"127.0.0.1:\([0-9]*\)\".*/\1/" ready)
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n" "$port" >&3
    head -n 1 <&3 | grep "200 OK"
    kill "$node"
    wait "$node"'
check "purging it leaves the user's data and nothing else" sh -c '
    chroot "$0" dpkg --purge kachat-node
    rm "$0/kachat-node.deb"
    left=$(find "$0" -xdev -name "*kachat*" ! -path "$0/home/tester/*" ! -path "$0")
    echo "$left"
    [ -z "$left" ] && [ -s "$0/home/tester/.local/share/kachat-node/identity" ]' "$root"
check "lintian finds no error" lintian --fail-on error --allow-root "$package"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
