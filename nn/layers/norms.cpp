#include <gradual/nn/layers/norms.hpp>

namespace gradual {

LayerNorm::LayerNorm(Index width, Real epsilon)
    : gain(Var::parameter(Tensor::ones({width}))),
      bias(Var::parameter(Tensor::zeros({width}))),
      epsilon_(epsilon) {}

void LayerNorm::visit(Visitor& visitor) {
  visitor("gain", gain);
  visitor("bias", bias);
}

RmsNorm::RmsNorm(Index width, Real epsilon)
    : gain(Var::parameter(Tensor::ones({width}))), epsilon_(epsilon) {}

Registry<MakeNorm>& norms() {
  static Registry<MakeNorm> all("norm: the name", "norms().add",
                                {{"layer_norm", [](Index width, Random) { return LayerNorm(width); }},
                                 {"rms_norm", [](Index width, Random) { return RmsNorm(width); }}});
  return all;
}

Part<Layer> make_norm(const std::string& name, Index width, Random random) {
  return norms().at(name)(width, random).named(name);
}

}  // namespace gradual
