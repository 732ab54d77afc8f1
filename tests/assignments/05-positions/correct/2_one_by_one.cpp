// Each key asked whether it is seen.
#include <gradual/core/attention/attention.hpp>

namespace gradual {

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  KeyRange range{0, 0};
  for (Index key = 0; key < keys; ++key) {
    const Index ahead = key - (query + keys - queries);
    if (mask.causal && ahead > 0) continue;
    if (mask.window != 0 && (ahead > mask.window || -ahead > mask.window)) continue;
    if (range.last == 0) range.first = key;
    range.last = key + 1;
  }
  return range;
}

}  // namespace gradual
