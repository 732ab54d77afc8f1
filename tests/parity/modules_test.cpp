// Layers, whole transformers, training and optimizers against PyTorch: outputs and every gradient.
#include <functional>
#include <memory>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/layers.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/fixtures.hpp"

using namespace gradual;

namespace {

constexpr Index width = 16, heads = 4, inner_width = 24, vocabulary = 23;

const Random any_seed(1);

TransformerConfig config_of(NormPlace place) {
  const bool before = place == NormPlace::before;
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  config.width = width;
  config.heads = heads;
  config.feed_forward = inner_width;
  config.dropout = 0;
  config.norm = place;
  config.activation = before ? "relu" : "gelu";
  config.positions = before ? "sinusoidal" : "learned";
  config.max_length = 9;
  config.shared_embeddings = config.tied_output = before;
  return config;
}

const std::vector<std::pair<std::string, NormPlace>> places{{"before", NormPlace::before},
                                                            {"after", NormPlace::after}};

AttentionMask padding(const Fixture& fixture) {
  AttentionMask mask;
  mask.valid_lengths = fixture.indices("lengths");
  return mask;
}

// Loads the module's parameters, calls it with the named inputs, and compares output and all gradients.
template <class Module>
void check_module(const Fixture& fixture, Module& module, const std::vector<std::string>& names,
                  const std::function<Var(const std::vector<Var>&)>& call) {
  fixture.load_into(parameters(module));
  std::vector<Var> inputs;
  for (const std::string& name : names) inputs.push_back(Var::parameter(fixture.tensor(name)));
  const Var y = call(inputs);
  CHECK(difference(y.value(), fixture.tensor("y")) == "");
  backward(y, fixture.tensor("dy"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO("gradient of " << names[i]);
    CHECK(difference(inputs[i].grad(), fixture.tensor("d_" + names[i])) == "");
  }
  fixture.check_gradients(parameters(module));
}

}  // namespace

TEST_CASE("parity: multi-head attention agrees with torch.nn.MultiheadAttention, for each mask") {
  MultiHeadAttention attention(width, heads, 0, any_seed);
  SECTION("self-attention with padding") {
    const Fixture fixture("attention_self_padding");
    check_module(fixture, attention, {"memory"},
                 [&](const auto& x) { return attention(x[0], padding(fixture)); });
  }
  SECTION("causal self-attention") {
    const Fixture fixture("attention_self_causal");
    AttentionMask causal;
    causal.causal = true;
    check_module(fixture, attention, {"x"}, [&](const auto& x) { return attention(x[0], causal); });
  }
  SECTION("attention to a padded memory") {
    const Fixture fixture("attention_cross_padding");
    check_module(fixture, attention, {"x", "memory"},
                 [&](const auto& x) { return attention(x[0], x[1], padding(fixture)); });
  }
}

TEST_CASE("parity: encoder layers agree with torch.nn.TransformerEncoderLayer") {
  for (const auto& [name, place] : places) {
    INFO("norm " << name);
    const Fixture fixture("encoder_layer_" + name);
    EncoderLayer layer(config_of(place), any_seed, "encoder");
    check_module(fixture, layer, {"memory"}, [&](const auto& x) { return layer(x[0], padding(fixture)); });
  }
}

TEST_CASE("parity: decoder layers agree with torch.nn.TransformerDecoderLayer") {
  for (const auto& [name, place] : places) {
    INFO("norm " << name);
    const Fixture fixture("decoder_layer_" + name);
    DecoderLayer layer(config_of(place), any_seed, "decoder");
    check_module(fixture, layer, {"x", "memory"},
                 [&](const auto& x) { return layer(x[0], x[1], padding(fixture)); });
  }
}

namespace {

// A transformer with a fixture's parameters, and the fixture's batch.
struct Translation {
  Translation(const std::string& name, NormPlace place)
      : fixture("transformer_" + name),
        model(config_of(place), any_seed),
        batch{{fixture.indices("source"), fixture.indices("lengths")},
              fixture.indices("input"),
              fixture.indices("output")} {
    fixture.load_into(parameters(model));
  }

  Var loss() const { return model.loss(batch, {0, 0.1}); }

  Fixture fixture;
  Transformer model;
  TranslationBatch batch;
};

}  // namespace

TEST_CASE("parity: a transformer's logits, loss and every gradient agree with PyTorch") {
  for (const auto& [name, place] : places) {
    INFO("norm " << name);
    Translation translation(name, place);
    const Transformer& model = translation.model;
    const Var memory = model.encode(translation.batch.source);
    const Var decoded = model.decode(translation.batch.input, memory, padding(translation.fixture));
    CHECK(difference(model.logits(decoded).value(), translation.fixture.tensor("logits")) == "");

    const Var loss = translation.loss();
    CHECK(difference(loss.value(), translation.fixture.tensor("loss")) == "");
    backward(loss);
    translation.fixture.check_gradients(parameters(translation.model));
  }
}

TEST_CASE("parity: ten steps with Adam, clipping and label smoothing follow PyTorch's loss curve") {
  for (const auto& [name, place] : places) {
    Translation translation(name, place);
    const std::vector<NamedParameter> all = parameters(translation.model);
    Adam adam(all, {0.9, 0.98, 1e-9});
    std::vector<Real> losses, norms;
    for (const Real rate : translation.fixture.tensor("curve/rates").to_vector()) {
      zero_gradients(all);
      const Var loss = translation.loss();
      backward(loss);
      const double norm = gradient_norm(all);
      adam.step(static_cast<double>(rate), clipping_scale(norm, 1));
      losses.push_back(loss.value().item());
      norms.push_back(static_cast<Real>(norm));
    }
    INFO("norm " << name);
    // PyTorch clips to most / (norm + 1e-6), which changes the seventh digit.
    CHECK(difference(Tensor({10}, losses), translation.fixture.tensor("curve/losses"), 1e-5) == "");
    CHECK(difference(Tensor({10}, norms), translation.fixture.tensor("curve/norms"), 1e-5) == "");
  }
}

TEST_CASE("parity: five steps of each optimizer agree with torch.optim") {
  const Fixture fixture("optimizers");
  using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(const std::vector<NamedParameter>&)>;
  const auto check = [&](const std::string& name, const MakeOptimizer& make) {
    const std::vector<NamedParameter> all{{"matrix", Var::parameter(fixture.tensor("first/matrix"))},
                                          {"vector", Var::parameter(fixture.tensor("first/vector"))}};
    const std::unique_ptr<Optimizer> optimizer = make(all);
    for (int step = 0; step < 5; ++step) {
      for (NamedParameter parameter : all)
        parameter.variable.mutable_grad() = fixture.tensor(text("gradients/", step, "/", parameter.name));
      optimizer->step(0.1);
    }
    for (const NamedParameter& parameter : all) {
      INFO(name << ", " << parameter.name);
      CHECK(difference(parameter.variable.value(), fixture.tensor(name + "/" + parameter.name)) == "");
    }
  };
  check("sgd", [](const auto& all) { return std::make_unique<Sgd>(all); });
  check("momentum", [](const auto& all) { return std::make_unique<Sgd>(all, 0.9); });
  check("adam", [](const auto& all) { return std::make_unique<Adam>(all, AdamOptions{0.9, 0.98, 1e-9}); });
  check("adamw", [](const auto& all) {
    return std::make_unique<Adam>(all, AdamOptions{0.9, 0.98, 1e-9, 0.3});
  });
  check("muon", [](const auto& all) { return std::make_unique<Muon>(all); });
}
