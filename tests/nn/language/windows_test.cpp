#include <gradual/nn/language/windows.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "nn/language/small_language_model.hpp"
#include "support/catch.hpp"

using namespace gradual;
using Ids = std::vector<std::int32_t>;

namespace {

// -log softmax(logits)[wanted] of one row, in double.
double surprise(const Real* logits, Index count, std::int32_t wanted) {
  double total = 0;
  for (Index i = 0; i < count; ++i) total += std::exp(static_cast<double>(logits[i]));
  return std::log(total) - static_cast<double>(logits[wanted]);
}

}  // namespace

TEST_CASE("windows: the output is the input one token further on, and every place can begin one") {
  Ids tokens(10);
  std::iota(tokens.begin(), tokens.end(), 0);
  const TextWindows windows = random_windows(tokens, 300, 4, Random(1));
  REQUIRE(windows.input.shape() == Shape{300, 4});
  REQUIRE(windows.output.shape() == Shape{300, 4});
  std::set<std::int32_t> starts;
  for (Index b = 0; b < 300; ++b) {
    starts.insert(windows.input[4 * b]);
    for (Index t = 0; t < 4; ++t) {
      CHECK(windows.input[4 * b + t] == windows.input[4 * b] + t);
      CHECK(windows.output[4 * b + t] == windows.input[4 * b + t] + 1);
    }
  }
  CHECK(starts == std::set<std::int32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("windows: a text of one token more than a window has a single one") {
  const TextWindows window = random_windows({7, 8, 9}, 1, 2, Random(1));
  CHECK(window.input.shape() == Shape{1, 2});
  CHECK((window.input[0] == 7 && window.input[1] == 8));
  CHECK((window.output[0] == 8 && window.output[1] == 9));
}

TEST_CASE("windows: a text that is not longer than a window is refused") {
  CHECK_THROWS_WITH(
      random_windows({1, 2, 3, 4}, 2, 4, Random(1)),
      "random_windows: the text must be longer than a window: the text has 4 tokens, a window 4");
  CHECK_THROWS_WITH(random_windows({1, 2}, 0, 1, Random(1)),
                    "random_windows: count and length must be positive: count is 0, length is 1");
}

TEST_CASE("text loss: of a model that knows nothing it is the logarithm of the number of tokens") {
  const LanguageModel model = model_with_probabilities({0.25, 0.25, 0.25, 0.25});
  CHECK(text_loss(model, {0, 3, 2, 1, 0, 0, 2}, 3) == Approx(std::log(4.0)));
}

TEST_CASE("text loss: every token but the first counts once, in windows that follow each other") {
  const LanguageModel model = small_language_model(5, "learned", 3);
  const Ids tokens = {4, 0, 1, 1, 3, 2, 0, 4, 2};  // eight to predict: windows of 3, 3 and 2
  const NoGrad no_grad;
  double total = 0;
  for (const auto& [start, length] : std::vector<std::pair<Index, Index>>{{0, 3}, {3, 3}, {6, 2}}) {
    const Ids input(tokens.begin() + start, tokens.begin() + start + length);
    const Tensor logits = model.logits(Indices({1, length}, input)).value();
    for (Index t = 0; t < length; ++t)
      total += surprise(logits.data() + t * 5, 5, tokens[static_cast<std::size_t>(start + t + 1)]);
  }
  CHECK(text_loss(model, tokens, 3) == Approx(total / 8).epsilon(1e-5));
}

TEST_CASE("text loss: the batches that a long text is cut into do not change it") {
  // 3,000 places: more than one batch. The tokens come as often as the model expects them.
  const LanguageModel model = model_with_probabilities({0.5, 0.25, 0.25});
  Ids tokens;
  for (int i = 0; i < 3000; ++i) tokens.push_back(i % 4 < 2 ? 0 : i % 4 - 1);
  tokens.insert(tokens.begin(), 0);
  const double entropy = 0.5 * std::log(2.0) + 0.5 * std::log(4.0);
  CHECK(text_loss(model, tokens, 4) == Approx(entropy).epsilon(1e-5));
  // One window that fills more than a batch.
  CHECK(text_loss(model, tokens, 3000) == Approx(entropy).epsilon(1e-5));
  CHECK_THROWS_WITH(
      text_loss(model, {1}, 4),
      "text_loss: there must be two tokens at least, and a positive length: there are 1 tokens, "
      "length is 4");
}
