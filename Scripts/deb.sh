#!/bin/sh
# Makes .build/kachat-node_VERSION_ARCH.deb of the program that `make` has built, by dpkg-deb alone.
#
#   DEBFULLNAME, DEBEMAIL   who stands in it as the maintainer (as for Debian's own tools)
set -eu
umask 022
export LC_ALL=C
cd "$(dirname "$0")/.."

for tool in dpkg-deb dpkg-shlibdeps dpkg-parsechangelog strip gzip scdoc; do
    if ! command -v "$tool" >/dev/null; then
        echo "deb.sh: there is no $tool: run \`Scripts/setup.sh deb\`" >&2
        exit 1
    fi
done

changelog=packaging/debian/changelog
version=$(dpkg-parsechangelog -l "$changelog" -S Version)
program=$(.build/release/kachat-node version)
if [ "$program" != "kachat-node $version" ]; then
    echo "deb.sh: the program says \"$program\", $changelog says $version" >&2
    exit 1
fi
architecture=$(dpkg --print-architecture)
# Two runs of one version give the same bytes.
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$changelog" -S Timestamp)
export SOURCE_DATE_EPOCH

work=$PWD/.build/deb
root=$work/root
rm -rf "$work"
mkdir -p "$root/DEBIAN" "$work/debian"
PREFIX=/usr DESTDIR=$root ZSH_FOLDER=vendor-completions Scripts/install.sh install >/dev/null

documents=$root/usr/share/doc/kachat-node
# The licence's text is on every Debian; `copyright` says where.
rm "$documents/LICENSE"
install -m 644 packaging/debian/copyright "$documents/copyright"
gzip -9n <"$changelog" >"$documents/changelog.gz"
find "$root/usr/share/man" -type f -exec gzip -9n {} +
if [ -f packaging/debian/lintian-overrides ]; then
    install -D -m 644 packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/kachat-node"
fi

# What the program is linked with, as packages.
printf 'Source: kachat-node\n\nPackage: kachat-node\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/kachat-node | sed -n 's/^shlibs:Depends=//p')

{
    echo "Package: kachat-node"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Maintainer: ${DEBFULLNAME:-kachat-node maintainers} <${DEBEMAIL:-maintainers@kachat-node.invalid}>"
    echo "Installed-Size: $(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)"
    echo "Depends: $depends"
    cat packaging/debian/control.in
} >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)

package=.build/kachat-node_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
rm -rf "$work"
echo "$package"
