// Positions inside self-attention: values, what they tell apart, and writing word by word.
#include <gradual/nn/positions/in_attention.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index self_width = 8, self_heads = 2;

MultiHeadAttention self_attention(const SelfAttentionOptions& options) {
  MultiHeadAttention attention(self_width, self_heads, 0, Random(3), "attention", options);
  if (attention.positions.name() == "relative")
    attention.positions.as<RelativePositions>().table.set_value(random_tensor({self_heads, 33}, 4));
  return attention;
}

// x [1, N, D] with its words in another order.
Tensor reordered(const Tensor& x, const std::vector<std::int32_t>& order) {
  const Tensor rows = x.with_shape({x.dim(1), x.dim(2)});
  return take_rows(rows, Indices({x.dim(1)}, order)).with_shape(x.shape());
}

double distance(const Tensor& a, const Tensor& b) {
  double squares = 0;
  for (Index i = 0; i < a.size(); ++i) squares += std::pow(static_cast<double>(a.data()[i] - b.data()[i]), 2);
  return std::sqrt(squares);
}

const std::vector<std::int32_t> order{3, 0, 4, 1, 2};

}  // namespace

TEST_CASE("rotate: pairs are complex numbers turned by place·10000^(-2i/d), other columns stay") {
  const Tensor x = random_tensor({2, 3, 9}, 1);
  const Tensor y = rotate(x, {8, 4, 5});
  for (Index b = 0; b < 2; ++b) {
    for (Index n = 0; n < 3; ++n) {
      for (Index column = 0; column < 8; column += 2) {
        const double angle = static_cast<double>(5 + n) / (column % 4 == 0 ? 1 : 100);
        const std::complex<double> turned =
            std::complex<double>(x({b, n, column}), x({b, n, column + 1})) * std::polar(1.0, angle);
        CHECK(std::abs(turned.real() - y({b, n, column})) < 1e-6);
        CHECK(std::abs(turned.imag() - y({b, n, column + 1})) < 1e-6);
      }
      CHECK(x({b, n, 8}) == y({b, n, 8}));
    }
  }
  CHECK(difference(rotate_back(y, {8, 4, 5}), x) == "");
}

TEST_CASE("rotate: the dot product of a turned query and key depends on their places by the distance alone") {
  const Tensor q = random_tensor({1, 1, 4}, 1), k = random_tensor({1, 1, 4}, 2);
  const auto product = [&](Index query_place, Index key_place) {
    return sum(rotate(q, {4, 4, query_place}) * rotate(k, {4, 4, key_place}), {}).item();
  };
  CHECK(std::abs(product(7, 3) - product(104, 100)) < 1e-5);
  CHECK(std::abs(product(7, 3) - product(7, 4)) > 1e-3);
}

TEST_CASE("rotate: columns that are not whole heads of an even width are refused") {
  const Tensor x = random_tensor({1, 2, 6}, 1);
  CHECK_THROWS_WITH(
      rotate(x, {6, 3, 0}),
      "rotate: x must be [B, N, W] with at least the columns to turn, which are whole heads of an even "
      "width: x is [1, 2, 6], columns are 6, the head width is 3");
  CHECK_THROWS_AS(rotate(x, {5, 2, 0}), std::invalid_argument);
  CHECK_THROWS_AS(rotate(x, {8, 2, 0}), std::invalid_argument);
  CHECK_THROWS_WITH(MultiHeadAttention(6, 2, 0, Random(1), "attention", {"rotary"}),
                    "positions: rotary ones turn pairs, so heads must have an even width: got 3");
}

TEST_CASE("alibi: the bias falls with the distance, at a slope of 2^(-8(h+1)/H)") {
  const AlibiPositions positions(2);
  // Two queries, the last of three keys: the distances -2 … 1.
  const Real near = Real(1) / 16, far = Real(1) / 256;
  CHECK(difference(positions.bias(2, 3).value(),
                   Tensor({2, 4}, {-2 * near, -near, 0, -near, -2 * far, -far, 0, -far})) == "");
}

TEST_CASE("relative positions: one learned bias for each head and distance, the same beyond 16 places") {
  RelativePositions positions(1);
  CHECK(positions.table.shape() == Shape{1, 33});
  positions.table.set_value(Tensor::arange(33).with_shape({1, 33}));
  const Tensor bias = positions.bias(20, 20).value();  // distances -19 … 19
  REQUIRE(bias.shape() == Shape{1, 39});
  CHECK(bias({0, 0}) == 0);
  CHECK(bias({0, 3}) == 0);
  CHECK(bias({0, 4}) == 1);
  CHECK(bias({0, 19}) == 16);
  CHECK(bias({0, 35}) == 32);
  CHECK(bias({0, 38}) == 32);
}

TEST_CASE("self-attention: without positions it is permutation-equivariant, with them it is not") {
  const Tensor x = random_tensor({1, 5, self_width}, 1);
  for (const std::string& kind : position_kinds().names()) {
    INFO(kind);
    const MultiHeadAttention attention = self_attention({kind});
    const Tensor mixed_first = attention(Var(reordered(x, order))).value();
    const Tensor mixed_last = reordered(attention(Var(x)).value(), order);
    const bool outside =
        kind == "none" || kind == "learned" || kind == "sinusoidal";  // others may be a test's own
    if (outside)
      CHECK(difference(mixed_first, mixed_last) == "");
    else
      CHECK(distance(mixed_first, mixed_last) > 1e-2);
  }
}

TEST_CASE(
    "self-attention: word by word equals all at once, for each kind of position, with and without a window") {
  const Tensor x = random_tensor({2, 7, self_width}, 1);
  AttentionMask causal;
  causal.causal = true;
  for (const std::string& kind : position_kinds().names()) {
    for (const Index window : {0, 2}) {
      INFO(kind << ", window " << window);
      const MultiHeadAttention attention = self_attention({kind, window});
      AttentionRecorder together_recorder;
      const Tensor together = attention(Var(x), causal).value();
      const Tensor weights = together_recorder.recorded()[0].weights;
      KeyValueCache cache;
      for (Index t = 0; t < 7; ++t) {
        AttentionRecorder recorder;
        const Tensor next = attention.next(Var(slice(x, 1, t, t + 1)), cache).value();
        CHECK(difference(next, slice(together, 1, t, t + 1)) == "");
        const Index first = window > 0 ? std::max<Index>(t - window, 0) : 0;  // what lies before is forgotten
        const Tensor row = slice(slice(weights, 2, t, t + 1), 3, first, t + 1);
        CHECK(difference(recorder.recorded()[0].weights, row) == "");
      }
    }
  }
}

TEST_CASE("language model: word by word equals all at once, for each kind of position and within a window") {
  StackConfig config;
  config.vocabulary = 11;
  config.width = self_width;
  config.heads = self_heads;
  config.feed_forward = 12;
  config.max_length = 9;
  const Indices words({1, 9}, {1, 5, 3, 7, 2, 2, 9, 10, 4});
  for (const std::string& kind : position_kinds().names()) {
    for (const Index window : {0, 3}) {
      INFO(kind << ", window " << window);
      config.positions = kind;
      config.window = window;
      LanguageModel model(config, Random(2));
      set_training(model, false);
      const Tensor together = model.logits(words).value();
      LanguageModel::State state;
      for (Index t = 0; t < 9; ++t) {
        const Tensor next = model.next(Indices({1}, {words[t]}), state);
        CHECK(difference(next, slice(together, 1, t, t + 1).with_shape({1, 11})) == "");
      }
    }
  }
}

TEST_CASE("language model: two layers with a window of 2 see 4 words back and no further") {
  StackConfig config;
  config.vocabulary = 11;
  config.width = self_width;
  config.heads = self_heads;
  config.window = 2;
  LanguageModel model(config, Random(2));
  set_training(model, false);
  const auto last = [&](const std::vector<std::int32_t>& words) {
    return slice(model.hidden(Indices({1, 7}, words)).value(), 1, 6, 7);
  };
  const Tensor before = last({1, 5, 3, 7, 2, 2, 9});
  CHECK(difference(last({8, 6, 3, 7, 2, 2, 9}), before) == "");
  CHECK(distance(last({1, 5, 4, 7, 2, 2, 9}), before) > 1e-4);
  config.window = -1;
  CHECK_THROWS_WITH(LanguageModel(config, Random(2)), "transformer: window must not be negative: got -1");
}

TEST_CASE("self-attention: a sentence without words gives none, for each kind of position") {
  for (const char* kind : {"none", "relative", "alibi", "rotary"}) {
    const MultiHeadAttention layer(8, 2, 0, Random(1), "attention", {kind, 0});
    CHECK(layer(Var(Tensor({2, 0, 8})), AttentionMask()).shape() == Shape{2, 0, 8});
  }
}

TEST_CASE("self-attention: of a layer's window and that of a mask the narrower one holds") {
  const MultiHeadAttention near(8, 2, 0, Random(1), "attention", {"none", 1}),
      far(8, 2, 0, Random(1), "attention", {"none", 3});
  const Var x(random_tensor({1, 6, 8}, 1));
  AttentionMask one, three;
  one.window = 1;
  three.window = 3;
  CHECK(difference(far(x, one).value(), near(x, AttentionMask()).value(), 0) == "");
  CHECK(difference(near(x, three).value(), near(x, AttentionMask()).value(), 0) == "");
}

TEST_CASE("position kinds: an unknown name is refused with those that are known") {
  const std::vector<std::string> names = position_kinds().names();  // those of other tests come last
  CHECK(std::vector<std::string>(names.begin(), names.begin() + 6) ==
        std::vector<std::string>{"sinusoidal", "learned", "relative", "alibi", "rotary", "none"});
  CHECK_THROWS_WITH(
      make_position_vectors("rope", 4, 8, Random(1)),
      Contains(
          "positions: the kind must be a known one: got \"rope\"; known are sinusoidal, learned, relative, "
          "alibi, rotary, none") &&
          Contains("; a program adds its own with position_kinds().add(name, …)"));
}
