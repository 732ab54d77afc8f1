// Tensors as xtensor expressions, for the chapters that are about that: xtensor takes half a second to read.
#pragma once

#ifdef __CLANG_REPL__
#include "../build/release/notebook/core/xtensor.hpp"
#else
#include <gradual/core/xtensor.hpp>
#endif
