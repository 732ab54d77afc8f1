// Every option of multi-head attention with every other, against the formulas written down plainly: the worst
// defects were pairs that nobody had combined.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/reference/attention.hpp>
#include <gradual/core/reference/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/positions/in_attention.hpp>

#include "support/random_cases.hpp"
#include "support/threads.hpp"

using namespace gradual;
using reference::Array;
using reference::array_of;

namespace {

constexpr Index heads = 4, head_width = 4, width = heads * head_width;

// One choice of each option, by its name and its number.
using Choices = std::map<std::string, int>;

const std::map<std::string, int> choices_of = {
    {"cached", 2},    {"causal", 2},   {"dropout", 2}, {"keys", 4},   {"lengths", 3}, {"memory", 2},
    {"positions", 4}, {"recorded", 2}, {"score", 6},   {"shared", 3}, {"threads", 3}, {"window", 3}};

const std::vector<std::string> position_names = {"none", "relative", "alibi", "rotary"};
const std::vector<std::string> score_list = {"scaled_dot", "dot",    "general",
                                             "additive",   "concat", "location"};

Choices chosen(RandomCase& random) {
  Choices choice;
  for (const auto& [option, count] : choices_of) choice[option] = static_cast<int>(random.from(0, count - 1));
  if (choice["memory"]) choice["positions"] = choice["window"] = choice["causal"] = 0;  // of self-attention
  if (choice["cached"]) choice["dropout"] = 0;  // no model writes in training
  if (choice["cached"] && !choice["memory"]) choice["causal"] = 1, choice["lengths"] = 0;
  if (choice["cached"] && choice["lengths"] == 2) choice["lengths"] = 1;  // one word is asked about
  return choice;
}

Array rows(const Array& x, Index first, Index last) { return xt::view(x, xt::range(first, last), xt::all()); }
Array columns(const Array& x, Index first, Index last) {
  return xt::view(x, xt::all(), xt::range(first, last));
}
Array sentence(const Tensor& x, Index b) { return array_of(x[b]); }

// The scores of one head, [T, S].
Array scores_of(const MultiHeadAttention& layer, const std::string& score, std::size_t head, const Array& q,
                const Array& k) {
  const Array k_transposed = xt::transpose(k);
  if (score == "scaled_dot") return reference::matmul(q, k_transposed) / std::sqrt(double(head_width));
  if (score == "dot") return reference::matmul(q, k_transposed);
  std::map<std::string, Array> weights;
  Attention attention = layer.scored_heads[head];
  for (const NamedParameter& parameter : parameters(attention))
    weights[parameter.name.substr(parameter.name.rfind('.') + 1)] = array_of(parameter.variable.value());
  const auto times = [](const Array& x, const Array& weight) {
    return reference::matmul(x, xt::transpose(weight));
  };
  if (score == "general") return reference::matmul(reference::matmul(q, weights["weight"]), k_transposed);
  if (score == "additive")
    return reference::additive_scores(times(q, weights["query_weight"]), times(k, weights["key_weight"]),
                                      weights["v"]);
  if (score == "concat")
    return reference::additive_scores(times(q, columns(weights["weight"], 0, head_width)),
                                      times(k, columns(weights["weight"], head_width, 2 * head_width)),
                                      weights["v"]);
  return times(q, rows(weights["weight"], 0, static_cast<Index>(k.shape(0))));  // location
}

// What is added to the scores of one head, [T, S].
Array bias_of(const MultiHeadAttention& layer, const std::string& positions, Index head, Index T, Index S) {
  Array bias = xt::zeros<double>({T, S});
  for (Index t = 0; t < T; ++t)
    for (Index s = 0; s < S; ++s) {
      const Index place = t + S - T;
      if (positions == "alibi")
        bias(t, s) = -std::exp2(-8.0 * double(head + 1) / double(heads)) * std::abs(double(s - place));
      if (positions == "relative")
        bias(t, s) = static_cast<double>(layer.positions.as<RelativePositions>().table.value()(
            {head, std::clamp<Index>(s - place, -16, 16) + 16}));
    }
  return bias;
}

struct Plain {
  Array out;                   // [T, D] of one sentence
  std::vector<Array> weights;  // [T, S] of each head
};

Plain plain_attention(const MultiHeadAttention& layer, const Choices& choice, const Array& x,
                      const Array& memory, const AttentionMask& mask, Index b,
                      const std::vector<Array>& dropped) {
  const std::string positions = position_names[std::size_t(choice.at("positions"))];
  const std::string score = score_list[std::size_t(choice.at("score"))];
  const Array weight = array_of(layer.weight.value()), bias = array_of(layer.bias.value());
  const Index kept = (static_cast<Index>(weight.shape(0)) - width) / 2, groups = kept / head_width;
  const auto projected = [&](const Array& of, Index first, Index last) -> Array {
    return reference::linear(of, rows(weight, first, last), xt::view(bias, xt::range(first, last)));
  };
  Array q = projected(x, 0, width), k = projected(memory, width, width + kept);
  const Array v = projected(memory, width + kept, width + 2 * kept);
  if (positions == "rotary") {
    q = reference::rotate(q, {width, head_width, 0});
    k = reference::rotate(k, {kept, head_width, 0});
  }
  const Index T = static_cast<Index>(x.shape(0)), S = static_cast<Index>(memory.shape(0));
  const Array visible = reference::visible_keys(mask, b, T, S);
  Plain plain;
  Array side_by_side = xt::zeros<double>({T, width});
  for (Index h = 0; h < heads; ++h) {
    const Index from = h * groups / heads * head_width, to = h * head_width;
    const Array scores = scores_of(layer, score, std::size_t(h), columns(q, to, to + head_width),
                                   columns(k, from, from + head_width));
    const Array one = xt::ones<double>({T, Index(1)}), none = xt::zeros<double>({S, Index(1)});
    const Array added = scores + bias_of(layer, positions, h, T, S);
    plain.weights.push_back(reference::attention_weights(one, none, 1, added, visible));
    xt::view(side_by_side, xt::all(), xt::range(to, to + head_width)) = reference::attention(
        plain.weights.back(), dropped[std::size_t(h)], columns(v, from, from + head_width));
  }
  plain.out = reference::linear(side_by_side, array_of(layer.output.weight.value()),
                                array_of(layer.output.bias.value()));
  return plain;
}

// The masks of dropout that the layer will draw next, [B][H] of [T, S]: the kernel draws one for all heads,
// a score of its own one for each.
std::vector<std::vector<Array>> masks_of_dropout(const Choices& choice, Random random, double p, Index B,
                                                 Index T, Index S) {
  const std::vector<Array> all_kept(std::size_t(heads), Array(xt::ones<double>({T, S})));
  std::vector<std::vector<Array>> masks(std::size_t(B), all_kept);
  if (p == 0) return masks;
  Random next(0);  // the layer draws from the other one
  next.set_state(random.state());
  const bool is_one = choice.at("score") == 0;
  DropoutMask mask(p, static_cast<std::uint32_t>(is_one ? next.next_u64() : 0));
  for (Index h = 0; h < heads; ++h) {
    if (!is_one) mask = DropoutMask(p, static_cast<std::uint32_t>(next.next_u64()));
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s) {
          const Index row = is_one ? (b * heads + h) * T + t : b * T + t;
          masks[std::size_t(b)][std::size_t(h)](t, s) = static_cast<double>(mask(row * S + s));
        }
  }
  return masks;
}

double tolerance() { return sizeof(Real) == 4 ? 2e-4 : 1e-9; }

double farthest_from(const Array& found, const Array& expected) {
  return found.size() == 0 ? 0 : xt::amax(xt::abs(found - expected))();
}

// The slope of Σ r ⊙ out along a random direction, by the layer's gradients and by two values of the
// formulas.
template <class PlainOutput>
void check_slope(RandomCase& random, const Var& x, const Var& memory, const Var& out, PlainOutput plain) {
  const Tensor r = random.numbers(out.shape(), -1, 1), along = random.numbers(x.shape(), -1, 1);
  const bool is_one = x.is_same_as(memory);
  const Tensor memory_along = is_one ? along : random.numbers(memory.shape(), -1, 1);
  backward(sum(out * r));
  const auto dot = [](const Tensor& a, const Tensor& b) { return xt::sum(array_of(a) * array_of(b))(); };
  const double found = dot(x.grad(), along) + (is_one ? 0 : dot(memory.grad(), memory_along));
  const double step = 1e-5;
  const auto value_at = [&](double distance) {
    double total = 0;
    for (Index b = 0; b < x.dim(0); ++b) {
      const Array moved = sentence(x.value(), b) + distance * sentence(along, b);
      const Array moved_memory = sentence(memory.value(), b) + distance * sentence(memory_along, b);
      total += xt::sum(plain(moved, moved_memory, b) * sentence(r, b))();
    }
    return total;
  };
  const double expected = (value_at(step) - value_at(-step)) / (2 * step);
  const double size = std::sqrt(static_cast<double>(x.size()));
  CHECK(std::abs(found - expected) < (sizeof(Real) == 4 ? 1e-3 : 1e-6) * size);
}

void check_case(RandomCase& random, const Choices& choice) {
  const auto is = [&](const char* option) { return choice.at(option); };
  const ThreadCount threads(std::vector<int>{1, 2, 4}[std::size_t(is("threads"))]);
  const Index S = std::vector<Index>{1, 7, 129, 40}[std::size_t(is("keys"))];
  const Index T = is("memory") ? random.from(1, 5) : S, B = S < 100 ? random.from(1, 3) : 1;  // plain is slow
  const double p = is("dropout") ? 0.3 : 0;
  const Index window = std::vector<Index>{0, 1, 6}[std::size_t(is("window"))];
  Random layer_random(7);
  MultiHeadAttention layer(
      width, heads, p, layer_random, "attention", {position_names[std::size_t(is("positions"))], window},
      {score_list[std::size_t(is("score"))], 129}, std::vector<Index>{0, 1, 2}[std::size_t(is("shared"))]);
  for (NamedParameter& parameter : parameters(layer))  // biases and tables start at 0, which hides them
    parameter.variable.set_value(random.numbers(parameter.variable.shape(), -0.5, 0.5));
  const Tensor x = random.numbers({B, T, width}, -1, 1);
  const Tensor memory = is("memory") ? random.numbers({B, S, width}, -1, 1) : x;
  AttentionMask mask;
  mask.causal = is("causal");
  if (is("lengths") == 1) mask.valid_lengths = random.whole({B}, 0, S);
  if (is("lengths") == 2) mask.valid_lengths = random.whole({B, T}, 0, S);
  AttentionMask seen = mask;
  seen.window = window;

  const auto dropped = masks_of_dropout(choice, layer_random, p, B, T, S);
  std::optional<AttentionRecorder> recorder;
  if (is("recorded")) recorder.emplace();
  std::vector<RecordedAttention> recorded;
  const Var variable = Var::parameter(x), of = is("memory") ? Var::parameter(memory) : variable;
  Tensor out;
  if (!is("cached")) {
    const Var result = is("memory") ? layer(variable, of, mask) : layer(variable, mask);
    out = result.value();
    if (recorder) recorded = recorder->recorded();
    recorder.reset();
    check_slope(random, variable, of, result, [&](const Array& moved, const Array& moved_memory, Index b) {
      return plain_attention(layer, choice, moved, moved_memory, seen, b, dropped[std::size_t(b)]).out;
    });
  } else {
    const KeyValueCache remembered = is("memory") ? layer.remember(of) : KeyValueCache();
    KeyValueCache own;
    std::vector<Var> words;
    for (Index t = 0; t < T; ++t) {
      const Var word = slice(variable, 1, t, t + 1);
      words.push_back(is("memory") ? layer.attend(word, remembered, mask.valid_lengths)
                                   : layer.next(word, own));
    }
    out = concat(words, 1).value();
  }
  for (Index b = 0; b < B; ++b) {
    const Plain plain =
        plain_attention(layer, choice, sentence(x, b), sentence(memory, b), seen, b, dropped[std::size_t(b)]);
    CHECK(farthest_from(sentence(out, b), plain.out) < tolerance());
    if (!is("recorded") || is("cached")) continue;
    REQUIRE(recorded.size() == 1);
    const Tensor weights = recorded[0].weights;  // [B, H, T, S]
    for (Index h = 0; h < heads; ++h)
      CHECK(farthest_from(array_of(weights[b][h]), plain.weights[std::size_t(h)]) < tolerance());
  }
}

std::string text_of(const Choices& choice) {
  std::string all;
  for (const auto& [option, number] : choice) all += option + " " + std::to_string(number) + "  ";
  return all;
}

}  // namespace

TEST_CASE("multi-head attention: every option with every other gives what the formulas give") {
  std::set<std::pair<std::pair<std::string, int>, std::pair<std::string, int>>> pairs;
  for_random_cases(300, [&](RandomCase& random) {
    const Choices choice = chosen(random);
    INFO(text_of(choice));
    for (const auto& one : choice)
      for (const auto& other : choice) pairs.insert({one, other});
    check_case(random, choice);
  });
  // All that can be had together: attention to a source has no places, windows or future, and what is written
  // word by word no dropout; words that write see no padding, and are asked about one at a time.
  std::size_t possible = 0;
  for (const auto& [one, ones] : choices_of)
    for (const auto& [other, others] : choices_of)
      possible += std::size_t(one == other ? ones : ones * others);
  const std::size_t impossible = 2 * (/* memory */ 3 + 2 + 1 + /* cached */ 1 + 1);
  CHECK(pairs.size() == possible - impossible);
}
