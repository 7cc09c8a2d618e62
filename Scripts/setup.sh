#!/bin/sh
# Installs what the build and the tests need and this machine lacks. Says nothing, and asks no network, when all is there.
#
#   setup.sh [test|browser|man|deb|check-deb]    and what that target of make needs besides
set -eu

say() { printf '%s\n' "$*" >&2; }

# 0. Root by sudo would build with root's PATH, and leave a .build that its owner can no longer write.
owner=$(stat -c %u "$(dirname "$0")/.." 2>/dev/null || echo 0)
if [ "$(id -u)" -eq 0 ] && [ -n "${SUDO_USER:-}" ] && [ "$owner" -ne 0 ] && [ "${1:-}" != check-deb ]; then
    say "Run make without sudo: these files belong to $(id -un "$owner" 2>/dev/null || echo "user $owner")," \
        "and what needs root asks for it by itself."
    exit 1
fi

# The event loop is Linux's. Nobody should install six libraries first to learn that.
if [ "$(uname)" != Linux ]; then
    say "kachat-node runs on Linux. Elsewhere, run it in a virtual machine or a container: docs/INSTALL.md, section 7."
    say "The client library alone builds on a Mac: swift build --target KaChatClient"
    exit 1
fi

# 1. The toolchain: language features of Swift 6.3 are used throughout.
toolchain() {
    if ! command -v swift >/dev/null 2>&1; then
        say "kachat-node needs the Swift toolchain, 6.3 or newer; there is no 'swift' in the PATH."
        say "Install it from https://www.swift.org/install/ (swiftly install 6.3), then run make again."
        exit 1
    fi
    # The driver leaves a temporary folder behind whenever it is asked.
    scratch=$(mktemp -d)
    version=$(TMPDIR=$scratch swift --version 2>/dev/null |
        sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    rm -rf "$scratch"
    major=${version%%.*}
    minor=${version#*.}
    if [ -z "$version" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 3 ]; }; then
        say "kachat-node needs Swift 6.3 or newer; this machine's 'swift' is ${version:-of an unknown version}."
        say "Install a newer one from https://www.swift.org/install/ (swiftly install 6.3), then run make again."
        exit 1
    fi
}

# 2. The C libraries with their headers. SwiftPM finds them through pkg-config.
libraries() {
    if command -v pkg-config >/dev/null 2>&1; then
        pkg-config --exists sqlite3 || missing="$missing libsqlite3-dev"
        pkg-config --exists libsodium || missing="$missing libsodium-dev"
        pkg-config --exists libzstd || missing="$missing libzstd-dev"
        pkg-config --exists libmicrohttpd || missing="$missing libmicrohttpd-dev"
        pkg-config --exists libqrencode || missing="$missing libqrencode-dev"
        pkg-config --exists zlib || missing="$missing zlib1g-dev"
    else
        missing=" libsqlite3-dev libsodium-dev libzstd-dev libmicrohttpd-dev libqrencode-dev zlib1g-dev pkg-config"
    fi
}

# 3. Programs that one target alone needs, as PROGRAM or PROGRAM:PACKAGE. What root uses may not be in a user's PATH.
programs() {
    for tool in "$@"; do
        PATH="$PATH:/usr/sbin:/sbin" command -v "${tool%:*}" >/dev/null 2>&1 || missing="$missing ${tool#*:}"
    done
}

missing=
apt=
if [ -r /etc/debian_version ] && command -v apt-get >/dev/null 2>&1; then apt=yes; fi
wants_browser=
case "${1:-}" in
    deb | check-deb)
        if [ -z "$apt" ]; then
            say "Debian packages are made on Debian and Ubuntu: there is no apt-get here."
            exit 1
        fi
        ;;
esac
# The check of a package builds nothing.
if [ "${1:-}" != check-deb ]; then
    toolchain
    libraries
fi
case "${1:-}" in
    '') ;;
    test)
        wants_browser=$apt
        # `ip` makes network namespaces; in the shells completions and the README are tried. Without one of them its
        # tests are skipped, with the reason.
        [ -z "$apt" ] || programs ip:iproute2 scdoc zsh fish dash spin
        ;;
    browser)
        # Chromium without windows does a quarter of the work; not every distribution has it by itself.
        if [ -n "$apt" ] && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
            programs chromium-headless-shell
        else
            programs chromium
        fi
        python3 -c 'import ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
        ;;
    man) [ -z "$apt" ] || programs scdoc ;;
    deb) programs scdoc dpkg-shlibdeps:dpkg-dev strip:binutils ;;
    check-deb) programs debootstrap lintian ip:iproute2 ;;
    *)
        say "usage: Scripts/setup.sh [test|browser|man|deb|check-deb]"
        exit 2
        ;;
esac

# What drives the browser, and a fuzzer that reads the API's document, from Python's package index into a folder of the
# build. Without them two tests are skipped, with the reason; the others go on.
python() {
    [ -n "$wants_browser" ] || return 0
    home=$(dirname "$0")/../.build/python
    packages="playwright axe-playwright-python schemathesis"
    [ "$(cat "$home/ready" 2>/dev/null)" != "$packages" ] || return 0
    # shellcheck disable=SC2086 # the list of packages is meant to be split
    if { "$0" browser || command -v chromium >/dev/null 2>&1; } && python3 -m venv "$home" &&
        "$home/bin/pip" install -q --disable-pip-version-check $packages >&2; then
        echo "$packages" >"$home/ready"
    else
        say "There is no chromium or no playwright here: the dashboard is not tried in a browser, nor the API by a fuzzer."
    fi
}

if [ -z "$missing" ]; then
    python
    exit 0
fi

if [ -z "$apt" ]; then
    say "Missing libraries. Install these (with headers), then run make again:"
    say "  SQLite 3, libsodium 1.0.18 or newer, zstd 1.5 or newer, libmicrohttpd 0.9.75 or newer,"
    say "  libqrencode 4, zlib, pkg-config"
    say "  Fedora:  sudo dnf install sqlite-devel libsodium-devel libzstd-devel libmicrohttpd-devel qrencode-devel zlib-devel pkgconf"
    say "  Debian's names of what was not found here:$missing"
    exit 1
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        say "Missing packages, and there is no sudo. As root, run:"
        say "  apt-get update && apt-get install -y$missing"
        exit 1
    fi
    sudo="sudo"
fi

say "Installing:$missing"
install() {
    # shellcheck disable=SC2086 # the list of packages is meant to be split
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2
}
# Package lists that are there are tried first: `apt-get update` is the slow half, and needless on most machines.
if ! install; then
    say "Package lists may be old: updating them."
    $sudo apt-get update -q >&2
    install
fi
python
