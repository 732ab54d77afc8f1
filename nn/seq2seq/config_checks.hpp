// What the configurations of models demand of their sizes.
#pragma once

#include <gradual/core/error.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// The largest of a model's sizes: a few of them can be multiplied.
constexpr Index largest_size = Index(1) << 30;
/// The largest of its lengths, which may be as good as without bound where places have no numbers of their
/// own.
constexpr Index largest_length = Index(1) << 40;

/// Throws std::invalid_argument where a size is below `least`, which is 0 or 1, or above `most`.
inline void check_size(const char* model, const char* name, Index value, Index least = 1,
                       Index most = largest_size) {
  if (value < least)
    throw std::invalid_argument(
        text(model, ": ", name, least > 0 ? " must be positive" : " must not be negative", ": got ", value));
  if (value > most)
    throw std::invalid_argument(text(model, ": ", name, " must be at most ", most, ": got ", value));
}

/// Throws std::invalid_argument for a share of numbers to zero that does not lie in [0, 1).
inline void check_dropout(const char* model, const char* name, double value) {
  if (!(value >= 0 && value < 1))
    throw std::invalid_argument(text(model, ": ", name, " must lie in [0, 1): got ", value));
}

}  // namespace gradual
