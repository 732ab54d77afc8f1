#include <gradual/nn/decoding/token_choice.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<Real> logits_of(const std::vector<double>& probabilities) {
  std::vector<Real> logits;
  for (double p : probabilities) logits.push_back(static_cast<Real>(std::log(p) - 2));
  return logits;
}

std::vector<TokenProbability> choices_of(const std::vector<double>& probabilities,
                                         const SamplingOptions& options,
                                         const std::vector<std::int32_t>& excluded = {}) {
  const std::vector<Real> logits = logits_of(probabilities);
  return choices(logits.data(), static_cast<Index>(logits.size()), options, excluded);
}

void check_choices(const std::vector<TokenProbability>& found,
                   const std::vector<TokenProbability>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(found[i].token == expected[i].token);
    CHECK(found[i].probability == Approx(expected[i].probability).epsilon(1e-5));
  }
}

const std::vector<double> five = {0.1, 0.4, 0.05, 0.3, 0.15};

}  // namespace

TEST_CASE("choices: without cuts, the softmax of the logits, the likeliest first") {
  check_choices(choices_of(five, {}), {{1, 0.4}, {3, 0.3}, {4, 0.15}, {0, 0.1}, {2, 0.05}});
}

TEST_CASE("choices: temperature raises probabilities to the power of 1/T") {
  // p² of 0.2 and 0.8: 0.04 and 0.64, of 0.68; √p of 0.1 and 0.9: 0.3162 and 0.9487.
  check_choices(choices_of({0.2, 0.8}, {0.5, 0, 1}), {{1, 0.64 / 0.68}, {0, 0.04 / 0.68}});
  check_choices(choices_of({0.1, 0.9}, {2, 0, 1}), {{1, 0.75}, {0, 0.25}});
}

TEST_CASE("choices: at the lowest temperatures there are, the likeliest is certain") {
  // Quotients by them are infinite, of which no difference is a number.
  for (const double temperature : {1e-300, 1e-320, std::numeric_limits<double>::denorm_min()}) {
    check_choices(choices_of(five, {temperature, 0, 1}), {{1, 1}});
    check_choices(choices_of({0.4, 0.4, 0.2}, {temperature, 0, 1}), {{0, 0.5}, {1, 0.5}});
  }
}

TEST_CASE("choices: top-k keeps the k likeliest and shares out the rest") {
  check_choices(choices_of(five, {1, 2, 1}), {{1, 0.4 / 0.7}, {3, 0.3 / 0.7}});
  check_choices(choices_of(five, {1, 1, 1}), {{1, 1}});
  CHECK(choices_of(five, {1, 99, 1}).size() == 5);
  check_choices(choices_of({0.25, 0.25, 0.25, 0.25}, {1, 2, 1}), {{0, 0.5}, {1, 0.5}});
}

TEST_CASE("choices: top-p keeps no more than those that reach it exactly") {
  const std::vector<Real> alike(4, Real(0.5));  // a quarter each, to the last bit
  const auto kept = [&](double top_p) { return choices(alike.data(), 4, {1, 0, top_p}, {}).size(); };
  CHECK(kept(0.25) == 1);
  CHECK(kept(0.5) == 2);
  CHECK(kept(0.75) == 3);
  CHECK(kept(std::nextafter(0.5, 1.0)) == 3);
  CHECK(kept(std::nextafter(0.5, 0.0)) == 2);
  CHECK(kept(1) == 4);
}

TEST_CASE("choices: top-p keeps the fewest that reach p") {
  check_choices(choices_of(five, {1, 0, 0.39}), {{1, 1}});
  check_choices(choices_of(five, {1, 0, 0.41}), {{1, 0.4 / 0.7}, {3, 0.3 / 0.7}});
  check_choices(choices_of(five, {1, 0, 0.69}), {{1, 0.4 / 0.7}, {3, 0.3 / 0.7}});
  check_choices(choices_of(five, {1, 0, 0.71}), {{1, 0.4 / 0.85}, {3, 0.3 / 0.85}, {4, 0.15 / 0.85}});
}

TEST_CASE("choices: top-p cuts what top-k and the temperature have left") {
  // Of 0.4, 0.3 and 0.15 the first has 0.47 and two have 0.82.
  check_choices(choices_of(five, {1, 3, 0.46}), {{1, 1}});
  check_choices(choices_of(five, {1, 3, 0.8}), {{1, 0.4 / 0.7}, {3, 0.3 / 0.7}});
  // At T = 1/2: 0.16, 0.09, 0.0225, 0.01, 0.0025, of 0.285: the first has 0.56.
  check_choices(choices_of(five, {0.5, 0, 0.55}), {{1, 1}});
}

TEST_CASE("choices: excluded tokens and those of probability 0 are never among them") {
  check_choices(choices_of(five, {}, {1, 2}), {{3, 0.3 / 0.55}, {4, 0.15 / 0.55}, {0, 0.1 / 0.55}});
  check_choices(choices_of({0.5, 0, 0.5}, {}), {{0, 0.5}, {2, 0.5}});
  CHECK(choices_of({0, 0}, {}).empty());
  CHECK(choices_of({0.5, std::numeric_limits<double>::quiet_NaN()}, {}).empty());
  CHECK(choices_of({0.5, std::numeric_limits<double>::infinity()}, {}).empty());
}

TEST_CASE("choose_token: the frequencies of many draws are the probabilities") {
  const std::vector<Real> logits = logits_of(five);
  const auto frequencies = [&](const SamplingOptions& options) {
    Random random(17);
    std::vector<double> counts(5);
    for (int i = 0; i < 40000; ++i)
      counts[static_cast<std::size_t>(choose_token(logits.data(), 5, options, random))] += 1.0 / 40000;
    return counts;
  };
  // The standard deviation of a frequency is at most 0.0025.
  const std::vector<double> plain = frequencies({}), cut = frequencies({1, 2, 1});
  for (std::size_t i = 0; i < 5; ++i) CHECK(plain[i] == Approx(five[i]).margin(0.01));
  CHECK(cut[1] == Approx(4.0 / 7).margin(0.01));
  CHECK(cut[3] == Approx(3.0 / 7).margin(0.01));
  CHECK(cut[0] + cut[2] + cut[4] == 0);
}

TEST_CASE("choose_token: -1 where nothing can be chosen") {
  const std::vector<Real> logits = logits_of({0, 0});
  Random random(1);
  CHECK(choose_token(logits.data(), 2, {}, random) == -1);
}

TEST_CASE("choices: bad options are refused") {
  CHECK_THROWS_WITH(choices_of(five, {0, 0, 1}), "sampling: the temperature must be above 0: got 0");
  CHECK_THROWS_WITH(choices_of(five, {std::nan(""), 0, 1}),
                    "sampling: the temperature must be above 0: got nan");
  CHECK_THROWS_WITH(choices_of(five, {1, -1, 1}), "sampling: top_k must not be negative: got -1");
  CHECK_THROWS_WITH(choices_of(five, {1, 0, 0}), "sampling: top_p must lie above 0 and up to 1: got 0");
  CHECK_THROWS_WITH(choices_of(five, {1, 0, 1.5}), "sampling: top_p must lie above 0 and up to 1: got 1.5");
}
