// Catch2 of either major version.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // in the global namespace already in version 2
#else
#include <catch2/catch.hpp>
#endif
