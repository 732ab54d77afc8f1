// Which keys each query may look at, for layers that hold their scores in the open.
#pragma once

#include <gradual/autograd/operations.hpp>

namespace gradual {

/// The weights of scores [B, T, S] under a mask: a softmax over the keys that each query may see, and exactly
/// zero for the others. A query that sees no key gets zeros and passes no gradient.
///
/// The mask's parts act together: valid lengths hide padding, `causal` hides what comes after the query, and
/// `window` what is far from it. Throws std::invalid_argument when valid lengths do not fit or exceed the
/// number of keys.
Var masked_softmax(const Var& scores, const AttentionMask& mask);

}  // namespace gradual
