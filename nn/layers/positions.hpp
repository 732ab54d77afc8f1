// How a model learns where each word stands: attention by itself cannot tell one order from another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/autograd/var.hpp>
#include <gradual/core/names.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// Vectors added to the embeddings (sinusoidal, learned), something inside self-attention (relative, alibi,
/// rotary; see nn/attention/positions.hpp), or nothing.
enum class PositionKind { sinusoidal, learned, relative, alibi, rotary, none };

inline const Names<PositionKind>& position_kinds() {
  static const Names<PositionKind> names("positions: the kind", {{"sinusoidal", PositionKind::sinusoidal},
                                                                 {"learned", PositionKind::learned},
                                                                 {"relative", PositionKind::relative},
                                                                 {"alibi", PositionKind::alibi},
                                                                 {"rotary", PositionKind::rotary},
                                                                 {"none", PositionKind::none}});
  return names;
}

/// The table [length, width] of Vaswani et al. 2017, §3.5: sin(p / 10000^(2i/D)) in column 2i, cos of the
/// same in 2i + 1.
Tensor sinusoidal_positions(Index length, Index width);

/// Adds a vector for each position to embeddings [B, T, D].
class Positions {
 public:
  /// Learned positions exist for `max_length` places and start with a deviation of 1, for embeddings of that
  /// size; sinusoidal ones are computed for as many places as are asked for.
  Positions(PositionKind kind, Index max_length, Index width, Random random);
  void visit(Visitor& visitor) { visitor("weight", weight); }
  /// The vectors of positions first … first + count - 1, [count, D]; zeros for the kinds that add none.
  /// Throws std::invalid_argument beyond the last learned position.
  Var operator()(Index first, Index count) const;

  Var weight;  // [max_length, D] when learned

 private:
  PositionKind kind_;
  Index width_;
  struct Sinusoids;
  std::shared_ptr<Sinusoids> sinusoids_;  // made longer when needed, by any thread
};

}  // namespace gradual
