// The first cell of every chapter. It finds Gradual's headers and library from the folder that it lies in, so
// that a notebook needs no settings; `./run notebook` builds what it loads.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__CLING__)  // xeus-cling
#pragma cling add_include_path("../build/release/include")
#pragma cling add_library_path("../build/release")
#pragma cling load("libgradual_notebook")
#include "chapter_headers.hpp"

#elif defined( \
    __CLANG_REPL__)  // xeus-cpp: it has no such pragmas, so these headers find each other by relative paths
#if !__has_include("../build/release/notebook/chapter_headers.hpp")
#error "Gradual is not built yet: run `./run notebook` in its folder once"
#endif
#include "../build/release/notebook/chapter_headers.hpp"
#include "../build/release/notebook/load_library.hpp"

#else  // a compiled program, which has its paths and its library from the build
#include "chapter_headers.hpp"
#include "notebook_display.hpp"
#endif
