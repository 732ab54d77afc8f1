#include <gradual/core/attention/attention.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {

void check_attention_mask(const AttentionMask& mask, const AttentionSizes& sizes) {
  if (mask.window < 0)
    throw std::invalid_argument(text("attention: the window must not be negative: got ", mask.window));
  const Indices& lengths = mask.valid_lengths;
  if (lengths.size() == 0) return;
  if (lengths.shape() != Shape{sizes.batch} && lengths.shape() != Shape{sizes.batch, sizes.queries})
    throw std::invalid_argument(text("attention: valid lengths must be [B] or [B, T]: B is ", sizes.batch,
                                     ", T is ", sizes.queries, ", valid lengths are ", lengths.shape()));
  for (std::int32_t length : lengths) {
    if (length < 0 || length > sizes.keys)
      throw std::invalid_argument(text("attention: valid lengths must lie in 0 … number of keys: got ",
                                       length, " of ", sizes.keys, " keys"));
  }
}

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  if (keys < 0 || query < 0 || query >= queries)
    throw std::invalid_argument(text("attention: a query must be one of T before S >= 0 keys: query is ",
                                     query, ", T is ", queries, ", S is ", keys));
  const Index place = keys - (queries - query);  // below `keys`: no sum here can overflow
  KeyRange range = {0, keys};
  if (mask.causal) range.last = std::max<Index>(place + 1, 0);
  if (mask.window > 0) {
    if (place > mask.window) range.first = place - mask.window;
    if (mask.window < keys - place) range.last = std::clamp<Index>(place + mask.window + 1, 0, range.last);
  }
  return range;
}

}  // namespace gradual
