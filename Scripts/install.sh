#!/bin/sh
# install.sh install|uninstall: puts the built node and what belongs to it below $DESTDIR$PREFIX, or takes it away again.
#
#   PREFIX     where it will run from (/usr/local)
#   DESTDIR    in front of every path, for those who make packages (empty)
#   PROGRAM    the program to install (.build/release/kachat-node)
#   ZSH_FOLDER the folder of zsh's functions below PREFIX/share/zsh (site-functions)
set -eu
umask 022
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
program=${PROGRAM:-.build/release/kachat-node}
case "$prefix" in
    /*) ;;
    *)
        echo "install.sh: PREFIX must be an absolute path, not $prefix" >&2
        exit 2
        ;;
esac

# A user's service manager looks in ~/.local/share, not in ~/.local/lib (systemd.unit(5)).
units=$prefix/lib/systemd/user
case "$prefix/" in
    "${HOME:-/nowhere}"/*) units=$prefix/share/systemd/user ;;
esac
documents=$prefix/share/doc/kachat-node
# Debian's zsh looks for what packages bring in another folder than for what is made here.
functions=$prefix/share/zsh/${ZSH_FOLDER:-site-functions}

# MODE SOURCE TARGET of all files; `@` and a kind is what the program says of itself.
files() {
    echo "755 $program $prefix/bin/kachat-node"
    echo "644 packaging/systemd/kachat-node.service.in $units/kachat-node.service"
    echo "644 @man $prefix/share/man/man1/kachat-node.1"
    echo "644 @bash $prefix/share/bash-completion/completions/kachat-node"
    echo "644 @zsh $functions/_kachat-node"
    echo "644 @fish $prefix/share/fish/vendor_completions.d/kachat-node.fish"
    for document in README.md HANDBOOK.md ARCHITECTURE.md LICENSE docs/*.md; do
        echo "644 $document $documents/$document"
    done
}

put() {
    mode=$1 source=$2 target=$root$3
    mkdir -p "$(dirname "$target")"
    case "$source" in
        @man)
            if command -v scdoc >/dev/null; then
                "$program" help --man | scdoc >"$target" && chmod "$mode" "$target"
            else
                echo "install.sh: left out the manual page: there is no scdoc" >&2
            fi ;;
        @*) "$program" completions "${source#@}" >"$target" && chmod "$mode" "$target" ;;
        *.in) sed "s|@bindir@|$prefix/bin|g" "$source" >"$target" && chmod "$mode" "$target" ;;
        "$program") install -m "$mode" -s "$source" "$target" ;;
        *) install -m "$mode" "$source" "$target" ;;
    esac
}

case "${1:-}" in
    install)
        if [ ! -x "$program" ]; then
            echo "install.sh: there is no $program: run \`make\` first" >&2
            exit 1
        fi
        files | while read -r mode source target; do put "$mode" "$source" "$target"; done
        echo "Installed: $root$prefix/bin/kachat-node. First steps: kachat-node help"
        ;;
    uninstall)
        files | while read -r mode source target; do rm -f "$root$target"; done
        rmdir "$root$documents/docs" "$root$documents" 2>/dev/null || true
        echo "Removed from $root$prefix. Homes (~/.local/share/kachat-node) stay."
        ;;
    *)
        echo "usage: PREFIX=/usr/local DESTDIR= Scripts/install.sh install|uninstall" >&2
        exit 2
        ;;
esac
