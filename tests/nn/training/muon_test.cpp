// Muon: against the closed form that singular values give, and by hand.
#include <array>
#include <cmath>
#include <vector>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// What the five steps make of a singular value that is a share s of the matrix's norm.
double muon_factor(double s) {
  for (int step = 0; step < 5; ++step) s = 3.4445 * s - 4.7750 * std::pow(s, 3) + 2.0315 * std::pow(s, 5);
  return s;
}

// U·diag(s)·Vᵀ with orthonormal columns of U [3·thirds, 2] and V [2, 2].
Tensor with_singular_values(const std::array<double, 2>& s, int thirds = 1) {
  const Tensor third({3, 2}, {1, 0, 0, Real(0.6), 0, Real(0.8)});
  const Tensor u = concat(std::vector<Tensor>(static_cast<std::size_t>(thirds), third), 0) *
                   static_cast<Real>(1 / std::sqrt(thirds));
  const Tensor v({2, 2}, {Real(0.28), Real(-0.96), Real(0.96), Real(0.28)});
  const Tensor scaled({2, 2}, {static_cast<Real>(s[0]), 0, 0, static_cast<Real>(s[1])});
  return matmul(matmul(u, scaled), v, {false, true});
}

std::vector<NamedParameter> one_of_each() {
  return {{"layer.weight", Var::parameter(random_tensor({3, 4}, 1))},
          {"embedding.weight", Var::parameter(random_tensor({5, 4}, 2))},
          {"layer.bias", Var::parameter(random_tensor({4}, 3))}};
}

void give_gradients(std::vector<NamedParameter>& parameters, std::uint64_t seed) {
  for (NamedParameter& each : parameters)
    each.variable.mutable_grad() = random_tensor(each.variable.shape(), seed++);
}

}  // namespace

TEST_CASE(
    "muon: a matrix keeps its singular vectors, and each singular value becomes what the polynomial says") {
  for (const std::array<double, 2>& s : {std::array<double, 2>{3, 1}, {2, 2}, {100, 0.5}, {1e-3, 4e-4}}) {
    // Of 3 and 2 rows and columns, and of 12 and 2, which are multiplied in another order.
    for (const int thirds : {1, 4}) {
      INFO(s[0] << ", " << s[1] << ", rows " << 3 * thirds);
      const Tensor matrix = with_singular_values(s, thirds);
      const double norm = std::hypot(s[0], s[1]) + 1e-7;
      const std::array<double, 2> expected{muon_factor(s[0] / norm), muon_factor(s[1] / norm)};
      const Tensor right = with_singular_values(expected, thirds);
      CHECK(difference(orthogonalized(matrix), right, 3e-4) == "");
      // The same lying down.
      const Tensor one({2, 2}, {1, 0, 0, 1});
      const Tensor turned = orthogonalized(matmul(one, matrix, {false, true}));
      CHECK(difference(matmul(turned, one, {true, false}), right, 3e-4) == "");
      // Orthogonal, as far as these coefficients go.
      const Tensor factor = with_singular_values({1, 1}, thirds), found = orthogonalized(matrix);
      double distance = 0;
      for (Index i = 0; i < found.size(); ++i)
        distance += std::pow(static_cast<double>(found.data()[i] - factor.data()[i]), 2);
      CHECK(std::sqrt(distance) < std::sqrt(2.0) * 0.32);
    }
  }
}

TEST_CASE("muon: singular values from 0.002 to 1 end between 0.68 and 1.21") {
  for (double s = 0.002; s <= 1; s *= 1.01) {
    CHECK(muon_factor(s) > 0.68);
    CHECK(muon_factor(s) < 1.21);
  }
}

TEST_CASE("muon: nothing becomes nothing, and only a matrix can be made orthogonal") {
  CHECK(orthogonalized(Tensor::zeros({3, 2})).to_vector() == std::vector<Real>(6, 0));
  CHECK_THROWS_WITH(orthogonalized(Tensor::ones({3})),
                    "muon: what is made orthogonal must be a matrix: it is [3]");
}

TEST_CASE(
    "muon: a matrix of one number moves by the rate, the scale and the factor of 1, whatever its gradient") {
  for (const double gradient : {5.0, 0.01}) {
    const Var p = Var::parameter(Tensor({1, 1}, {3}));
    std::vector<NamedParameter> all{{"layer.weight", p}};
    MuonOptions options;
    options.adam.weight_decay = 0.5;
    Muon muon(all, options);
    double expected = 3;
    for (int step = 0; step < 3; ++step) {
      all[0].variable.mutable_grad() = Tensor({1, 1}, {static_cast<Real>(gradient)});
      muon.step(0.1);
      expected = expected * (1 - 0.1 * 0.5) - 0.1 * 0.2 * muon_factor(1);
      CHECK(static_cast<double>(p.value().item()) == Approx(expected).epsilon(1e-4));
    }
  }
}

TEST_CASE("muon: momentum looks ahead: of a gradient and nine tenths of it back, the last one decides") {
  const Var p = Var::parameter(Tensor({1, 1}, {0}));
  std::vector<NamedParameter> all{{"layer.weight", p}};
  Muon muon(all);
  all[0].variable.mutable_grad() = Tensor({1, 1}, {1});
  muon.step(1);
  const double first = static_cast<double>(p.value().item());
  CHECK(first == Approx(-0.2 * muon_factor(1)).epsilon(1e-4));
  // v = 0.95 - 0.9 = 0.05 goes on, but g + μ·v = -0.9 + 0.0475 goes back, by as much.
  all[0].variable.mutable_grad() = Tensor({1, 1}, {Real(-0.9)});
  muon.step(1);
  CHECK(static_cast<double>(p.value().item()) == Approx(0).margin(1e-5));
}

TEST_CASE("muon: vectors and tables of words follow Adam to the bit, hidden matrices do not") {
  std::vector<NamedParameter> ours = one_of_each(), theirs = one_of_each();
  Muon muon(ours);
  Adam adam(theirs);
  for (std::uint64_t step = 0; step < 3; ++step) {
    give_gradients(ours, 10 * step);
    give_gradients(theirs, 10 * step);
    muon.step(0.01, 0.5);
    adam.step(0.01, 0.5);
  }
  CHECK(ours[0].variable.value().to_vector() != theirs[0].variable.value().to_vector());
  CHECK(ours[1].variable.value().to_vector() == theirs[1].variable.value().to_vector());
  CHECK(ours[2].variable.value().to_vector() == theirs[2].variable.value().to_vector());
}

TEST_CASE("muon: goes on from its state to the same bits, and needs all of it") {
  std::vector<NamedParameter> all = one_of_each();
  Muon muon(all);
  give_gradients(all, 5);
  muon.step(0.01);
  const auto state = muon.state();
  std::vector<NamedParameter> again;
  for (const NamedParameter& each : all) again.push_back({each.name, Var::parameter(each.variable.value())});
  Muon resumed(again);
  resumed.set_state(state);
  give_gradients(all, 50);
  give_gradients(again, 50);
  muon.step(0.01);
  resumed.step(0.01);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i].variable.value().to_vector() == again[i].variable.value().to_vector());
  CHECK_THROWS_WITH(resumed.set_state({{"steps", Tensor::scalar(1)}}), Contains("must hold every tensor"));
}

TEST_CASE(
    "muon: packed queries, keys and values are three matrices, also where queries share keys and values") {
  constexpr Index width = 4;
  for (const Index keys : {Index(4), Index(2), Index(1)}) {
    INFO("keys " << keys);
    std::vector<NamedParameter> packed{
        {"self_attention.weight", Var::parameter(Tensor::zeros({width + 2 * keys, width}))}};
    std::vector<NamedParameter> apart{{"q", Var::parameter(Tensor::zeros({width, width}))},
                                      {"k", Var::parameter(Tensor::zeros({keys, width}))},
                                      {"v", Var::parameter(Tensor::zeros({keys, width}))}};
    give_gradients(packed, 4);
    const auto rows_of = [&](const Tensor& tensor, std::size_t i) {
      const Index first = i == 0 ? 0 : width + (i == 2 ? keys : 0);
      return tensor.rows(first, first + (i == 0 ? width : keys));
    };
    for (std::size_t i = 0; i < 3; ++i)
      apart[i].variable.mutable_grad() = rows_of(packed[0].variable.grad(), i);
    Muon(packed).step(1);
    Muon(apart).step(1);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(rows_of(packed[0].variable.value(), i).to_vector() == apart[i].variable.value().to_vector());
  }
}

TEST_CASE("muon: of a transformer, every matrix but the tables of words and places is a hidden one") {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.width = 8;
  config.heads = 2;
  config.positions = "learned";
  config.tied_output = false;
  Transformer model(config, Random(1));
  std::vector<std::string> others;
  for (const NamedParameter& each : parameters(model))
    if (each.variable.rank() == 2 && !Muon::is_hidden_matrix(each)) others.push_back(each.name);
  CHECK(others == std::vector<std::string>{"source_embedding.weight", "target_embedding.weight",
                                           "positions.weight", "output.weight"});
}

TEST_CASE("muon: a taller matrix, or one that is no three, is one, whatever it is called") {
  for (const Index rows : {Index(16), Index(5)}) {
    std::vector<NamedParameter> ours{{"my_attention.weight", Var::parameter(Tensor::zeros({rows, 4}))}},
        plain{{"w", Var::parameter(Tensor::zeros({rows, 4}))}};
    give_gradients(ours, 4);
    give_gradients(plain, 4);
    Muon(ours).step(1);
    Muon(plain).step(1);
    CHECK(ours[0].variable.value().to_vector() == plain[0].variable.value().to_vector());
  }
}
