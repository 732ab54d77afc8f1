#include <gradual/nn/language/continuation.hpp>

#include <algorithm>

#include "nn/language/small_language_model.hpp"
#include "support/catch.hpp"

using namespace gradual;
using Ids = std::vector<std::int32_t>;

namespace {

// The likeliest token after the last six of `tokens`, all of them read anew.
std::int32_t likeliest_after(const LanguageModel& model, const Ids& tokens) {
  const NoGrad no_grad;
  const Index seen = std::min<Index>(6, static_cast<Index>(tokens.size()));
  const Tensor logits = model.logits(Indices({1, seen}, {tokens.end() - seen, tokens.end()})).value();
  const Real* last = logits.end() - logits.dim(2);
  return static_cast<std::int32_t>(std::max_element(last, logits.end()) - last);
}

}  // namespace

TEST_CASE("continuation: it sees the last tokens that fit, as if it read them anew each time") {
  for (const std::string positions : {"learned", "rotary", "sinusoidal"}) {
    const LanguageModel model = small_language_model(9, positions, 5);
    for (const Ids& prompt : {Ids{2}, Ids{1, 7, 7, 3}, Ids{1, 2, 3, 4, 5, 6, 7, 8, 0, 1}}) {
      Ids expected = prompt;
      for (int i = 0; i < 15; ++i) expected.push_back(likeliest_after(model, expected));
      expected.erase(expected.begin(), expected.begin() + static_cast<Index>(prompt.size()));
      CHECK(continuation(model, prompt, 15, {1, 1, 1}, Random(1)) == expected);
    }
  }
}

TEST_CASE("continuation: tokens come as often as they are likely, after temperature and cuts") {
  const LanguageModel model = model_with_probabilities({0.1, 0.2, 0.3, 0.4});
  const auto shares = [&](const SamplingOptions& options) {
    const Ids tokens = continuation(model, {0}, 4000, options, Random(7));
    std::vector<double> result(4, 0);
    for (std::int32_t token : tokens) result[static_cast<std::size_t>(token)] += 1.0 / 4000;
    return result;
  };
  const auto all = shares({});
  CHECK(all[0] == Approx(0.1).margin(0.02));
  CHECK(all[3] == Approx(0.4).margin(0.03));
  const auto two = shares({1, 2, 1});  // 0.3 and 0.4 remain
  CHECK(two[0] + two[1] == 0);
  CHECK(two[2] == Approx(3.0 / 7).margin(0.03));
  const auto likely = shares({1, 0, 0.6});  // 0.4, then 0.3 reaches 0.6
  CHECK(likely[0] + likely[1] == 0);
  const auto cold = shares({0.5, 0, 1});  // squares: 0.01, 0.04, 0.09, 0.16 of 0.30
  CHECK(cold[3] == Approx(0.16 / 0.30).margin(0.03));
}

TEST_CASE("continuation: the same seed writes the same, another seed something else") {
  const LanguageModel model = small_language_model(9, "rotary", 5);
  const Ids first = continuation(model, {3, 1}, 30, {}, Random(2));
  CHECK(first.size() == 30);
  CHECK(continuation(model, {3, 1}, 30, {}, Random(2)) == first);
  CHECK(continuation(model, {3, 1}, 30, {}, Random(3)) != first);
  CHECK(continuation(model, {3, 1}, 0, {}, Random(2)).empty());
}

TEST_CASE("continuation: an empty prompt and bad numbers are refused") {
  const LanguageModel model = small_language_model(9, "learned", 5);
  CHECK_THROWS_WITH(continuation(model, {}, 3, {}, Random(1)),
                    "continuation: the prompt must have a token: got none");
  CHECK_THROWS_WITH(continuation(model, {1}, -3, {}, Random(1)),
                    "continuation: the length must not be negative: got -3");
  CHECK_THROWS_WITH(continuation(model, {1}, 3, {1, -1, 1}, Random(1)),
                    "sampling: top_k must not be negative: got -1");
}
