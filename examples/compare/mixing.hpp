// What is compared: the ways in which places of a sequence can learn from each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/module.hpp>

/// How places x [B, T, D] take in places memory [B, S, D], to [B, T, D]. In self-attention both are the same.
class Mixing {
 public:
  virtual ~Mixing() = default;
  virtual void visit(gradual::Visitor& visitor) = 0;
  virtual gradual::Var operator()(const gradual::Var& x, const gradual::Var& memory,
                                  const gradual::AttentionMask& mask) const = 0;
};

/// The sizes that all ways share.
struct MixingSizes {
  gradual::Index width, heads, window;
};

/// Whether a part looks at its own sequence, where a window has a meaning, or at another.
enum class Looking { at_itself, elsewhere };

/// A way by its name: "mean" (no attention: all that may be seen counts alike), the scores additive, dot and
/// scaled_dot with one head, "multi_head", and "window" (multi-head, near places only). Its attention hands
/// out its weights under `layer`.
std::unique_ptr<Mixing> make_mixing(const std::string& name, const MixingSizes& sizes, Looking looking,
                                    gradual::Random random, const std::string& layer);
