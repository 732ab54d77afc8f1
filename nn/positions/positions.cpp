#include <gradual/nn/positions/positions.hpp>

#include <gradual/nn/positions/in_attention.hpp>
#include <gradual/nn/positions/vectors.hpp>

namespace gradual {
namespace {

struct NoVectors : PositionVectors {
  explicit NoVectors(Index of_width) : width(of_width) {}
  Var operator()(Index, Index count) const override { return Tensor::zeros({count, width}); }

  Index width;
};

}  // namespace

Registry<PositionKind>& position_kinds() {
  static Registry<PositionKind> all(
      "positions: the kind", "position_kinds().add",
      {{"sinusoidal",
        {[](Index length, Index width, Random) { return SinusoidalPositions(length, width); }, {}}},
       {"learned",
        {[](Index length, Index width, Random random) { return LearnedPositions(length, width, random); },
         {},
         true}},
       {"relative", {{}, [](Index heads, Index, Random) { return RelativePositions(heads); }}},
       {"alibi", {{}, [](Index heads, Index, Random) { return AlibiPositions(heads); }}},
       {"rotary", {{}, [](Index, Index head_width, Random) { return RotaryPositions(head_width); }}},
       {"none", {}}});
  return all;
}

Part<PositionVectors> make_position_vectors(const std::string& kind, Index max_length, Index width,
                                            Random random) {
  const auto make = position_kinds().at(kind).vectors;
  const Part<PositionVectors> made = make ? make(max_length, width, random) : NoVectors(width);
  return made.named(kind);
}

Part<AttentionPositions> make_attention_positions(const std::string& kind, Index heads, Index head_width,
                                                  Random random) {
  const auto make = position_kinds().at(kind).in_attention;
  const Part<AttentionPositions> made = make ? make(heads, head_width, random) : AttentionPositions();
  return made.named(kind);
}

}  // namespace gradual
