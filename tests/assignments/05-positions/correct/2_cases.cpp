// Case by case.
#include <algorithm>

#include <gradual/core/attention/attention.hpp>

namespace gradual {

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  const Index place = keys - queries + query;
  const Index left = mask.window > 0 ? place - mask.window : 0;
  const Index right = mask.causal ? place : mask.window > 0 ? place + mask.window : keys - 1;
  return {std::clamp<Index>(left, 0, keys), std::clamp<Index>(right + 1, 0, keys)};
}

}  // namespace gradual
