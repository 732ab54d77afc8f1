#!/usr/bin/env bash
# Whether clang takes every source of the library and of its tests for macOS on ARM and on x86-64: macos.sh FOLDER.
# Clang and the headers of macOS and of its C++ library come from PyPI's ziglang. Nothing is linked or run, and no framework
# of Apple's is there: what this finds is a header, a function or a type that macOS has not.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
mkdir -p "$folder/usr/include/gradual"
for floor in core autograd nn; do ln -sfn "$root/$floor" "$folder/usr/include/gradual/$floor"; done
for headers in xtensor xtensor.hpp xtl nlohmann CLI catch2 microhttpd.h; do ln -sfn "/usr/include/$headers" "$folder/usr/include/$headers"; done
for headers in /usr/include/utf8proc.h /usr/include/*-linux-gnu/{,openblas*/}{openblas_config,cblas}.h; do
  [ ! -e "$headers" ] || sed "s/define OPENBLAS_OS_LINUX/define OPENBLAS_OS_DARWIN/" "$headers" >"$folder/usr/include/$(basename "$headers")"
done
find "$root/nn" "$root/examples" -name '*.css' -o -name '*.js' -o -name '*.html' -o -name '*.conf' | while read -r file; do
  path=${file#"$root"/}
  cmake "-DFROM=$file" "-DTO=$folder/embedded/$path.hpp" "-DPATH=$path" -P "$root/cmake/embed.cmake"
done
[ -d "$folder/python/ziglang" ] || python3 -m pip install --quiet --target "$folder/python" ziglang
lib=$folder/python/ziglang/lib

flags=(--no-default-config -fhosted -nostdinc -nostdinc++
  -isystem "$lib/libcxx/include" -isystem "$lib/libcxxabi/include" -isystem "$lib/include"
  -isystem "$lib/libc/include/any-darwin-any" -isystem "$folder/usr/include"
  -D_LIBCPP_ABI_VERSION=1 -D_LIBCPP_ABI_NAMESPACE=__1 -D_LIBCPP_HAS_THREADS=1 -D_LIBCPP_HAS_MONOTONIC_CLOCK
  -D_LIBCPP_HAS_TERMINAL -D_LIBCPP_HAS_MUSL_LIBC=0 -D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS
  -D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0 -D_LIBCPP_HAS_FILESYSTEM=1 -D_LIBCPP_HAS_RANDOM_DEVICE
  -D_LIBCPP_HAS_LOCALIZATION -D_LIBCPP_HAS_UNICODE -D_LIBCPP_HAS_WIDE_CHARACTERS -D_LIBCPP_HAS_NO_STD_MODULES
  -D_LIBCPP_PSTL_BACKEND_SERIAL -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE
  -D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE
  -std=c++17 -fsyntax-only -fopenmp-simd -Wall -Wextra -Werror
  -I"$folder/embedded" -I"$root/tests" '-DGRADUAL_FIXTURES=""' '-DGRADUAL_SOURCES=""')

# The sources of a folder as one, in a fraction of the time, but for those that a unity build keeps apart too.
cd "$root"
rm -rf "$folder/sources" && mkdir -p "$folder/sources"
while read -r source; do
  group=$folder/sources/$(dirname "$source" | tr / _)$(grep -o '_gradient_test' <<<"$source" || true).cpp  # of another program
  ! grep -qxF "$source" cmake/apart.txt || group=$folder/sources/$(tr / _ <<<"$source")
  echo "#include \"$root/$source\"" >>"$group"
done < <(find core autograd nn examples tests/core tests/autograd tests/nn tests/examples tests/hostile tests/parity -name '*.cpp' \
  ! -name '*_windows.cpp' ! -path 'examples/assignments/*')  # whose sandbox is Linux's
for target in aarch64 x86_64; do
  find "$folder/sources" -name '*.cpp' -print0 |
    xargs -0 -n 1 -P "$(nproc)" "$folder/python/ziglang/zig" clang -target "$target-apple-macosx15.0.0-unknown" "${flags[@]}"
  echo "macOS on $target: every source compiles"
done
