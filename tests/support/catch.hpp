// Catch2 of either major version. Contains(part) matches a text that has the part in it: version 3 means
// ranges by that name.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // in the global namespace already in version 2
inline auto Contains(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#else
#include <catch2/catch.hpp>
using Catch::Matchers::Contains;
#endif
