// The plain version: what each rule leaves, cut to the keys that there are.
#include <algorithm>

#include <gradual/core/attention/attention.hpp>

namespace gradual {

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  const Index place = query + keys - queries;
  Index first = 0, last = keys;
  if (mask.causal) last = std::min(last, place + 1);
  if (mask.window > 0) {
    first = std::max(first, place - mask.window);
    last = std::min(last, place + mask.window + 1);
  }
  return {first, std::max<Index>(last, 0)};
}

}  // namespace gradual
