// Every kernel of attention against its plain version in xtensor, over a thousand random shapes each, forward
// and backward. attention_reference_gradient_test.cpp does the same in double.
//
// In double they agree to 10⁻¹², absolute or of the result's largest number. In float the error is counted in
// units in the last place (2⁻²³) of what the inputs, which are bounded, can give at most: an output is an
// average of values, a gradient a sum of products whose largest is known; and the rounding of a score, which
// is as large as the score may be, goes through its exponential.
#include <cmath>
#include <limits>
#include <type_traits>

#include <gradual/core/attention/additive.hpp>
#include <gradual/core/attention/attention.hpp>
#include <gradual/core/attention/cached_attention.hpp>
#include <gradual/core/attention/rotary.hpp>
#include <gradual/core/reference/attention.hpp>

#include "core/attention/views.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;
using reference::Array;

namespace {

// The columns of a head of a sentence in x [B, N, …], as an array of its own.
Array part(const Tensor& x, Index sentence, Index first, Index count) {
  Array result = xt::zeros<double>({static_cast<std::size_t>(x.dim(1)), static_cast<std::size_t>(count)});
  for (Index n = 0; n < x.dim(1); ++n)
    for (Index i = 0; i < count; ++i) result(n, i) = static_cast<double>(x({sentence, n, first + i}));
  return result;
}

// The worst of all errors that were given, as a part of what is allowed.
class WorstError {
 public:
  // `most`: how large a number of the result can become.
  void add(const Array& ours, const Array& expected, double most) {
    REQUIRE(ours.size() == expected.size());
    double largest = 1;
    for (const double each : expected) largest = std::max(largest, std::abs(each));
    const double allowed = std::is_same_v<Real, float> ? units * std::ldexp(most, -23) : 1e-12 * largest;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error = std::abs(ours.flat(i) - expected.flat(i));
      if (error != 0 && !(error / allowed <= worst)) worst = error / allowed;  // of a NaN, too
    }
  }
  static constexpr double units = 2;
  double worst = 0;
};

Index any_of(Random& random, const std::vector<Index>& sizes) {
  return sizes[static_cast<std::size_t>(random.below(static_cast<Index>(sizes.size())))];
}

Indices random_lengths(const Shape& shape, Index most, Random& random) {
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(shape.size()));
  for (auto& length : lengths) length = static_cast<std::int32_t>(random.below(most + 1));
  return {shape, lengths};
}

enum class Lengths { none, of_sentences, of_queries };

struct Options {
  bool causal;
  Index window;
  Lengths lengths;
  bool bias, dropout, all_weights;
};

// One attention over random numbers, each head of each sentence compared.
void compare(const AttentionSizes& sizes, const Options& options, Random random, WorstError& worst) {
  const auto [B, H, T, S, dk, dv] = sizes;
  AttentionSettings settings{{{}, options.causal, options.window}, Real(0.3), {}, {}};
  if (options.lengths == Lengths::of_sentences) settings.mask.valid_lengths = random_lengths({B}, S, random);
  if (options.lengths == Lengths::of_queries) settings.mask.valid_lengths = random_lengths({B, T}, S, random);
  const Index distances = std::max<Index>(T + S - 1, 0);
  if (options.bias) settings.bias = random_tensor({H, distances}, 5);
  if (options.dropout) settings.dropout = DropoutMask(0.3, 77);
  const Index margin = random.below(3);  // columns of each table that belong to something else
  const Tensor q = random_tensor({B, T, H * dk + margin}, 1, -2, 2),
               k = random_tensor({B, S, H * dk + margin}, 2, -2, 2),
               v = random_tensor({B, S, H * dv + margin}, 3),
               d_out = random_tensor({B, T, H * dv + margin}, 4);
  const Real unwritten = std::numeric_limits<Real>::quiet_NaN();
  Tensor out = Tensor::full(d_out.shape(), unwritten), d_q = Tensor::full(q.shape(), unwritten),
         d_k = Tensor::full(k.shape(), unwritten), d_v = Tensor::full(v.shape(), unwritten);
  check_attention_mask(settings.mask, sizes);
  const AttentionMemory memory =
      attention_forward(sizes, settings, view(q), view(k), view(v), writable(out), options.all_weights);
  const Tensor d_bias = attention_backward(sizes, settings, memory, view(q), view(k), view(v), view(d_out),
                                           writable(d_q), writable(d_k), writable(d_v), options.bias);
  REQUIRE(memory.weights.defined() == (options.all_weights || S <= 128));

  const auto scale = static_cast<double>(settings.scale);
  const double score = 1 + scale * 4 * static_cast<double>(dk);  // |q|, |k| <= 2, |bias| <= 1
  const double d_score = 2 * static_cast<double>(dv) / 0.7;      // |v|, |dO| <= 1, a mask up to 1 / 0.7
  for (Index h = 0; h < H; ++h) {
    Array bias_sums = xt::zeros<double>({static_cast<std::size_t>(distances)});
    for (Index b = 0; b < B; ++b) {
      const Array head_q = part(q, b, h * dk, dk), head_k = part(k, b, h * dk, dk),
                  head_v = part(v, b, h * dv, dv), upstream = part(d_out, b, h * dv, dv);
      const Array visible = reference::visible_keys(settings.mask, b, T, S);
      Array bias = xt::zeros_like(visible), dropout = xt::ones_like(visible);
      if (options.bias) {
        const Array biases = reference::array_of(settings.bias);
        bias = reference::bias_by_distance(xt::view(biases, h), T, S);
      }
      const Index position = (b * H + h) * T * S;
      for (Index i = 0; i < T * S; ++i)
        dropout.flat(static_cast<std::size_t>(i)) = static_cast<double>(settings.dropout(position + i));
      const Array weights = reference::attention_weights(head_q, head_k, scale, bias, visible);
      const auto gradients =
          reference::attention_backward(head_q, head_k, head_v, scale, weights, dropout, upstream);
      if (memory.weights.defined()) {
        const Tensor own = memory.weights.with_shape({B * H, T, S}).rows(b * H + h, b * H + h + 1);
        worst.add(part(own, 0, 0, S), weights, score);
      }
      const auto times = static_cast<double>(std::max<Index>(T, 1));  // a key is in the sum of each query
      worst.add(part(out, b, h * dv, dv), reference::attention(weights, dropout, head_v), score / 0.7);
      worst.add(part(d_v, b, h * dv, dv), gradients.v, score / 0.7 * times);
      worst.add(part(d_q, b, h * dk, dk), gradients.q, score * d_score * scale * 2);
      worst.add(part(d_k, b, h * dk, dk), gradients.k, score * d_score * scale * 2 * times);
      bias_sums += reference::bias_by_distance_backward(gradients.scores);
    }
    if (options.bias) {
      const Array biases = reference::array_of(d_bias);
      worst.add(xt::view(biases, h), bias_sums,
                score * d_score * static_cast<double>(std::max<Index>(B * T, 1)));
    }
  }
}

}  // namespace

TEST_CASE(
    "attention: equals its plain version over 1,296 random shapes, in every combination of masks, bias and "
    "dropout") {
  Random random(1);
  WorstError worst;
  const std::vector<Index> few = {0, 1, 2, 3, 5, 8, 13, 17}, many = {63, 64, 65, 100, 128, 129, 150, 200},
                           widths = {0, 1, 2, 3, 5, 7, 8}, counts = {1, 1, 2, 3};
  const Index endless = std::numeric_limits<Index>::max();
  for (const Lengths lengths : {Lengths::none, Lengths::of_sentences, Lengths::of_queries})
    for (const bool causal : {false, true})
      for (const Index window : {Index(0), Index(1), Index(2), Index(30), Index(100), endless})
        for (const bool bias : {false, true})
          for (const bool dropout : {false, true})
            for (const bool all_weights : {false, true})
              for (int shape = 0; shape < 9; ++shape) {
                const bool large = shape == 0;
                const std::vector<Index>& lengths_of = large ? many : few;
                const AttentionSizes sizes{large ? 1 : any_of(random, {0, 1, 2, 3}),
                                           large ? 1 : any_of(random, counts),
                                           any_of(random, lengths_of),
                                           any_of(random, lengths_of),
                                           any_of(random, widths),
                                           any_of(random, widths)};
                INFO(sizes.batch << " x " << sizes.heads << " heads, " << sizes.queries << " queries, "
                                 << sizes.keys << " keys of " << sizes.key_width << ", values of "
                                 << sizes.value_width << ", causal " << causal << ", window " << window
                                 << ", lengths " << static_cast<int>(lengths) << ", bias " << bias
                                 << ", dropout " << dropout << ", all weights " << all_weights);
                compare(sizes, {causal, window, lengths, bias, dropout, all_weights}, random.split(), worst);
                REQUIRE(worst.worst <= 1);
              }
}

TEST_CASE("cached attention: equals the plain attention of one query over 1,000 random tables") {
  Random random(2);
  WorstError worst;
  for (int i = 0; i < 1000; ++i) {
    const Index rows = any_of(random, {0, 1, 2, 5}), heads = any_of(random, {1, 2, 3}),
                d = any_of(random, {1, 2, 3, 5, 7, 16, 32, 64}),
                most = any_of(random, {0, 1, 2, 7, 15, 16, 17, 40});
    const Tensor q = random_tensor({rows, 1, heads * d}, 1, -2, 2),
                 cached = random_tensor({rows, most, 2 * heads * d}, 2),
                 bias = random_tensor({heads, most}, 3);
    const bool biased = random.below(2) == 1, wanted = random.below(2) == 1;
    KeyTable table;
    table.most = most;
    for (Index r = 0; r < rows; ++r) {
      table.counts.push_back(static_cast<std::int32_t>(random.below(most + 1)));
      for (Index s = 0; s < most; ++s)
        table.keys.push_back(s < table.counts.back() ? cached.data() + (r * most + s) * 2 * heads * d
                                                     : nullptr);
    }
    Tensor out = Tensor::full({rows, 1, heads * d}, std::numeric_limits<Real>::quiet_NaN()), weights;
    cached_attention(heads, d, view(q), table, writable(out), wanted ? &weights : nullptr,
                     biased ? bias : Tensor());
    for (Index r = 0; r < rows; ++r) {
      for (Index h = 0; h < heads; ++h) {
        Array visible = xt::zeros<double>({std::size_t(1), static_cast<std::size_t>(most)}), added = visible;
        for (Index s = 0; s < most; ++s) {
          visible(0, s) = s < table.counts[static_cast<std::size_t>(r)];
          if (biased) added(0, s) = static_cast<double>(bias({h, s}));
        }
        const auto width = static_cast<double>(d);
        const Array expected = reference::attention_weights(part(q, r, h * d, d), part(cached, r, h * d, d),
                                                            1 / std::sqrt(width), added, visible);
        const double score = 1 + 2 * std::sqrt(width);
        const Array values = part(cached, r, (heads + h) * d, d);
        worst.add(part(out, r, h * d, d), reference::attention(expected, xt::ones_like(expected), values),
                  score);
        if (wanted)
          worst.add(part(weights.with_shape({rows * heads, 1, most}), r * heads + h, 0, most), expected,
                    score);
      }
    }
    INFO(rows << " rows, " << heads << " heads of " << d << ", up to " << most << " keys, bias " << biased);
    REQUIRE(worst.worst <= 1);
  }
}

TEST_CASE("additive scores: equal their plain version over 1,000 random shapes, and their gradients do") {
  Random random(3);
  WorstError worst;
  for (int i = 0; i < 1000; ++i) {
    const Index B = any_of(random, {0, 1, 2, 3}), T = any_of(random, {0, 1, 2, 3, 5, 9, 17}),
                S = any_of(random, {0, 1, 2, 4, 7, 16, 19}),
                H = any_of(random, {0, 1, 2, 3, 7, 15, 16, 17, 33});
    const Tensor q = random_tensor({B, T, H}, 1, -3, 3), k = random_tensor({B, S, H}, 2, -3, 3),
                 v = random_tensor({H}, 3), dy = random_tensor({B, T, S}, 4);
    const Tensor y = additive_scores(q, k, v);
    const AdditiveGradients ours = additive_scores_backward(q, k, v, dy);
    Array sums = xt::zeros<double>({static_cast<std::size_t>(H)});
    for (Index b = 0; b < B; ++b) {
      const Array own_q = part(q, b, 0, H), own_k = part(k, b, 0, H), own_v = reference::array_of(v);
      const auto gradients = reference::additive_scores_backward(own_q, own_k, own_v, part(dy, b, 0, S));
      worst.add(part(y, b, 0, S), reference::additive_scores(own_q, own_k, own_v), static_cast<double>(H));
      worst.add(part(ours.q, b, 0, H), gradients.q, static_cast<double>(S));
      worst.add(part(ours.k, b, 0, H), gradients.k, static_cast<double>(T));
      sums += gradients.v;
    }
    worst.add(reference::array_of(ours.v), sums, static_cast<double>(B * T * S));
    INFO(B << " sentences, " << T << " queries, " << S << " keys, width " << H);
    REQUIRE(worst.worst <= 1);
  }
}

TEST_CASE("rotary: equals its plain version over 1,000 random shapes, and turns back") {
  Random random(4);
  WorstError worst;
  for (int i = 0; i < 1000; ++i) {
    const Index d = any_of(random, {2, 4, 6, 10, 16, 32}), heads = any_of(random, {0, 1, 2, 3}),
                B = any_of(random, {0, 1, 2}), N = any_of(random, {0, 1, 2, 3, 9}),
                margin = any_of(random, {0, 1, 5});
    const Rotation rotation{heads * d, d, any_of(random, {-7, 0, 1, 100})};
    const Tensor x = random_tensor({B, N, heads * d + margin}, 1);
    const Tensor y = rotate(x, rotation), back = rotate_back(y, rotation);
    for (Index b = 0; b < B; ++b) {
      const Array own = part(x, b, 0, x.dim(2));
      worst.add(part(y, b, 0, x.dim(2)), reference::rotate(own, rotation), 1);
      worst.add(part(back, b, 0, x.dim(2)), own, 1);
    }
    INFO(B << " x " << N << " places, " << heads << " heads of " << d << ", from place "
           << rotation.first_place);
    REQUIRE(worst.worst <= 1);
  }
}
