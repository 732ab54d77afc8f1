// A number that tells things apart: FNV-1a (Fowler, Noll and Vo).
#pragma once

#include <cstdint>
#include <string_view>

namespace gradual {

/// h ← (h ⊕ unit) · 1099511628211 mod 2⁶⁴ for each unit, bytes or longer; its low digits depend on all of
/// them.
struct Fnv {
  std::uint64_t sum = 14695981039346656037u;
  void add(std::uint64_t unit) { sum = (sum ^ unit) * 1099511628211u; }
  void add_bytes(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  }
};

}  // namespace gradual
