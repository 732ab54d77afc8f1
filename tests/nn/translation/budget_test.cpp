#include <gradual/nn/translation/budget.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/nn/text/subwords.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

SplitText some_text() {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 40; ++i)
    pairs.push_back({"one two " + std::to_string(i), "un deux " + std::to_string(i)});
  return {std::make_unique<ListStream<SentencePair>>(pairs), {}};
}

// For so little time that one model is tried.
PlanOptions in_no_time() {
  PlanOptions options;
  options.seconds = 1e-6;
  return options;
}

struct Counted final : Adam {
  Counted(const std::vector<NamedParameter>& parameters, int& steps) : Adam(parameters), made(steps) {}
  void step(double rate, double scale) override {
    ++made;
    Adam::step(rate, scale);
  }
  int& made;
};

}  // namespace

TEST_CASE("budget: the steps that are timed have the two passes of R-Drop", "[long]") {
  const auto products = [](const PlanOptions& options) {
    SplitText text = some_text();
    const std::int64_t before = flop_count();
    plan_for(text, options);
    return flop_count() - before;
  };
  PlanOptions options = in_no_time();
  const std::int64_t one = products(options);
  options.r_drop = 1;
  CHECK(products(options) == 2 * one);
}

TEST_CASE("budget: the steps that are timed are made by the optimizer that training has", "[long]") {
  int steps = 0;
  PlanOptions options = in_no_time();
  options.optimizer = [&](const std::vector<NamedParameter>& all) {
    return std::make_unique<Counted>(all, steps);
  };
  SplitText text = some_text();
  plan_for(text, options);
  CHECK(steps == 6);
}

TEST_CASE("budget: the steps that are timed have sentences as long as the text's, as many as a batch takes",
          "[long]") {
  const auto words = [](int count) {
    std::string sentence = "word";
    for (int i = 1; i < count; ++i) sentence += " word";
    return sentence;
  };
  // Of 5 and 7 words, their mean is timed; where one fills more than a batch, it stands alone. Behind each
  // stands its end, and the shortest that is timed has two words.
  for (const auto& [source, target, length] : {std::tuple{5, 7, 6}, {1, 1, 2}, {1100, 1100, 1100}}) {
    INFO(source << " words");
    std::vector<SentencePair> pairs(3, {words(source), words(target)});
    SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), {});
    const std::int64_t before = flop_count();
    const Plan plan = plan_for(text, in_no_time());
    const std::int64_t timed = flop_count() - before;
    const Index rows = length > 1024 ? 1 : 1024 / (length + 1);
    const Indices ids = Indices({rows, Index(length) + 1},
                                std::vector<std::int32_t>(static_cast<std::size_t>(rows * (length + 1)), 4));
    const Indices lengths({rows}, std::vector<std::int32_t>(static_cast<std::size_t>(rows), length + 1));
    const Transformer model(plan.model, Random(1));
    const std::int64_t between = flop_count();
    backward(model.loss({{ids, lengths}, ids, ids}, {}));
    CHECK(timed == 6 * (flop_count() - between));
  }
}

TEST_CASE("budget: a text of few different words keeps them whole, and the vocabularies have them all") {
  SplitText text = some_text();
  const Plan plan = plan_for(text, in_no_time());
  CHECK(plan.subwords == 0);
  CHECK(plan.model.source_vocabulary == 4 + 42);  // padding, begin, end and unknown; two words, 40 numbers
  CHECK(plan.model.target_vocabulary == 4 + 42);
}

TEST_CASE("budget: words that stand on both sides are cut into pieces no oftener than on one", "[long]") {
  // 3,000 numbers are fewer words than the 4,000 pieces that are usual, whichever side they are on.
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 3000; ++i) pairs.push_back({std::to_string(i), std::to_string(2999 - i)});
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), {});
  CHECK(plan_for(text, in_no_time()).subwords == 0);
}

TEST_CASE("budget: numbers with commas are no more pieces than what stands between the commas", "[long]") {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(i / 100) + "," + std::to_string(i % 100);
    pairs.push_back({number, number});
  }
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), {});
  CHECK(plan_for(text, in_no_time()).subwords == 0);
}

TEST_CASE("budget: where characters are many, there are pieces beside them, and the text has them",
          "[long]") {
  if (!Subwords::available()) return;
  const auto character = [](int i) {
    return encode_utf8(std::u32string(1, static_cast<char32_t>(0x4E00 + i % 4500)));
  };
  std::vector<SentencePair> pairs;
  std::vector<std::string> sentences;
  for (int i = 0; i < 6000; ++i) {
    std::string sentence;
    for (int place = 0; place < 6; ++place) sentence += character(i * (place + 1) + place * i / 4500);
    pairs.push_back({sentence, "a b"});
    sentences.push_back(sentence);
  }
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), {});
  const Plan plan = plan_for(text, in_no_time());
  CHECK(plan.subwords == 4000 + 4500 + 3);  // a, b and the space
  sentences.push_back("a b");
  CHECK_NOTHROW(train_subwords(sentences, {SubwordKind::bpe, plan.subwords}));
}

TEST_CASE(
    "budget: a larger model is tried where there may be time for its steps, and not where there is none",
    "[long]") {
  int steps = 0;
  PlanOptions options = in_no_time();
  options.optimizer = [&](const std::vector<NamedParameter>& all) {
    return std::make_unique<Counted>(all, steps);
  };
  SplitText text = some_text();
  const double small = plan_for(text, options).seconds_of_step;
  // The larger one computes 18 times as much, it is thought in a quarter of the time, and needs 1500 steps.
  const double needed = 1500 * small * 18 / 4 / 0.85;
  for (const auto& [share, models] : {std::pair{0.01, 1}, {100.0, 2}}) {
    steps = 0;
    options.seconds = share * needed;
    const Plan plan = plan_for(text, options);
    CHECK(steps == 6 * models);
    CHECK(plan.model.width == 64);  // such a short text does not teach the larger one
  }
}

TEST_CASE("budget: where trying takes longer than there is time, the plan has the fewest steps", "[long]") {
  PlanOptions options = in_no_time();
  options.optimizer = [](const std::vector<NamedParameter>& all) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return std::make_unique<Adam>(all);
  };
  SplitText text = some_text();
  CHECK(plan_for(text, options).schedule.total == 20);
}
