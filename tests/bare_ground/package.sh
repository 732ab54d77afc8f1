#!/usr/bin/env bash
# The packages of `./run package` on a bare Debian without a compiler: tests/bare_ground/package.sh [12|13]. They are built here, so
# this machine must not be newer than that Debian. Ends with 77 where none can be made. Each check is a sentence; the first that
# fails ends the test.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=bare_debian.sh
. "$checkout/tests/bare_ground/bare_debian.sh"
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$checkout/tests/support/checks.sh"
started=$SECONDS

check "./run package makes a package and an archive"
rm -f "$checkout"/build/package/gradual*.deb "$checkout"/build/package/gradual*.tar.gz
"$checkout/run" package
deb=$(echo "$checkout"/build/package/gradual_*_*.deb)
archive=$(echo "$checkout"/build/package/gradual-*.tar.gz)
[ -f "$deb" ]
[ -f "$archive" ]
dpkg-deb --info "$deb"
for file in bin/translate include/gradual/autograd/operations.hpp share/man/man1/translate.1 'lib/.*libgradual.so' \
  'lib/.*cmake/gradual/gradual-config.cmake' 'lib/.*pkgconfig/gradual.pc'; do
  for content in "$(dpkg-deb --contents "$deb")" "$(tar -tf "$archive")"; do
    grep -qE "/$file" <<<"$content" || fail "no $file in $content"
  done
done

check "a bare Debian ${1:-12} installs it with what it depends on, and no compiler"
make_bare_debian "${1:-12}"
cp "$deb" "$debian/tmp/"
in_debian apt-get -qq update
in_debian env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "/tmp/$(basename "$deb")" >/dev/null
if in_debian which g++ gcc clang cmake; then fail "there is a compiler"; fi
if in_debian ldd /usr/bin/translate | grep 'not found'; then fail "a library is missing"; fi

check "it trains there, with subwords too, and translates"
in_debian --as 1000 mkdir -p /tmp/of_a_person
in_person() { in_debian --as 1000 env --chdir /tmp/of_a_person "$@"; }
in_person translate train --out toy | tee "$work/said.txt"
grep -qE '^held-out +(9[0-9]|100)' "$work/said.txt"
[ "$(echo 'The small cat sleeps.' | in_person translate translate --model toy/model.safetensors)" = "Le petit chat dort." ]
in_person translate train --units subwords --subwords 150 --steps 3 --width 16 --out subwords >/dev/null

check "what the archive holds runs from any folder"
mkdir "$debian/opt/elsewhere"
tar -xf "$archive" -C "$debian/opt/elsewhere" --strip-components=1
in_debian dpkg --remove gradual >/dev/null
program=$(cd "$debian" && find opt/elsewhere -name translate -path '*bin*')
in_person "/$program" --help | head -n 1

echo "package: all checks passed ($((SECONDS - started)) s)"
