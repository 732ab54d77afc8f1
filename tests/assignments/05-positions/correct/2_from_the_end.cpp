// Counted from the end, where queries and keys meet.
#include <algorithm>

#include <gradual/core/attention/attention.hpp>

namespace gradual {

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  const Index after = queries - 1 - query;  // places behind this one
  KeyRange range{0, keys};
  if (mask.window) {
    range.first = keys - 1 - after - mask.window;
    if (after > mask.window) range.last = keys - after + mask.window;
  }
  if (mask.causal) range.last = keys - after;
  range.first = std::max<Index>(range.first, 0);
  range.last = std::max(range.last, Index(0));
  return range;
}

}  // namespace gradual
