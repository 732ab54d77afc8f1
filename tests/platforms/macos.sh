#!/usr/bin/env bash
# Whether clang takes every source of the library and of its tests for macOS on ARM and on x86-64: macos.sh FOLDER.
# Clang and the headers of macOS and of its C++ library come from PyPI's ziglang. Nothing is linked or run, and no framework
# of Apple's is there: what this finds is a header, a function or a type that macOS has not.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
mkdir -p "$folder/usr/include/gradual"
for floor in core autograd nn; do ln -sfn "$root/$floor" "$folder/usr/include/gradual/$floor"; done
for headers in xtensor xtensor.hpp xtl nlohmann catch2; do ln -sfn "/usr/include/$headers" "$folder/usr/include/$headers"; done
for headers in /usr/include/utf8proc.h /usr/include/*-linux-gnu/cblas.h /usr/include/*-linux-gnu/openblas*/openblas_config.h \
  /usr/include/*-linux-gnu/openblas*/cblas.h; do
  [ ! -e "$headers" ] || ln -sf "$headers" "$folder/usr/include/"
done
for file in "$root"/nn/*/*.css "$root"/nn/*/*.js "$root"/nn/*/*/*.css "$root"/nn/*/*/*.js; do
  [ -e "$file" ] || continue
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
  -std=c++17 -fsyntax-only -fopenmp-simd -Wall -Wextra -Wshadow -Werror
  -I"$folder/embedded" -I"$root/tests" '-DGRADUAL_FIXTURES=""')

cd "$root"
for target in aarch64 x86_64; do
  find core autograd nn tests/core tests/autograd tests/nn -name '*.cpp' ! -name '*_windows.cpp' -print0 |
    xargs -0 -n 1 -P "$(nproc)" "$folder/python/ziglang/zig" clang -target "$target-apple-macosx15.0.0-unknown" "${flags[@]}"
  echo "macOS on $target: every source compiles"
done
