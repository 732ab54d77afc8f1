#!/usr/bin/env bash
# What a program for Windows is linked to: windows_root.sh FOLDER. Headers are this machine's, OpenBLAS is the DLL that
# PyPI's scipy-openblas32 holds, and utf8proc is compiled from Debian's source.
set -euo pipefail

folder=$1
here=$PWD
[ ! -e "$folder/complete" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/usr/include" "$folder/usr/lib" "$folder/bin" "$folder/fetched"
cd "$folder"

# Libraries of headers alone, with their CMake files.
for package in libxtensor-dev xtl-dev nlohmann-json3-dev libcli11-dev catch2; do
  dpkg-query --listfiles "$package" | grep -E '\.(hpp|h|cmake|a)$'
done | sed 's,^/,,' | tar -C / -cf - -T - | tar -xf -

# The names in its DLL are OpenBLAS's own; those in its headers and its import library have a prefix.
python3 -m pip download --quiet --no-deps --platform win_amd64 --only-binary=:all: --dest fetched scipy-openblas32
python3 -m zipfile -e fetched/scipy_openblas32-*.whl fetched
blas=fetched/scipy_openblas32
for header in cblas.h openblas_config.h; do sed 's/scipy_//g' "$blas/include/$header" >"usr/include/$header"; done
cp "$blas/lib/libscipy_openblas.dll" bin/
{
  printf 'LIBRARY libscipy_openblas.dll\nEXPORTS\n'
  x86_64-w64-mingw32-objdump -p bin/libscipy_openblas.dll | sed -nE 's/^.*\] +((openblas|cblas)_[a-z_0-9]+)$/\1/p'
} >fetched/openblas.def
x86_64-w64-mingw32-dlltool -d fetched/openblas.def -l usr/lib/libopenblas.dll.a

cd fetched
# shellcheck disable=SC2016  # a field of apt
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
echo "deb-src $archive bookworm main" >sources.list
mkdir -p lists/partial
options="-qq -o Dir::Etc::SourceList=$PWD/sources.list -o Dir::Etc::SourceParts=- -o Dir::State::Lists=$PWD/lists
  -o APT::Sandbox::User=$(id -un)"
# shellcheck disable=SC2086  # one word for each option
apt-get $options update && apt-get $options source --download-only utf8proc
tar -xzf utf8proc_*.orig.tar.gz
x86_64-w64-mingw32-gcc -O2 -DUTF8PROC_STATIC -c utf8proc-*/utf8proc.c -o utf8proc.o
x86_64-w64-mingw32-ar rcs ../usr/lib/libutf8proc.a utf8proc.o
{ echo '#define UTF8PROC_STATIC' && cat utf8proc-*/utf8proc.h; } >../usr/include/utf8proc.h
cd "$here"
touch "$folder/complete"
