#include <gradual/nn/decoding/beam_search.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/nn/decoding/greedy.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;

// Words: 0 padding, 1 begin, 2 end, 3 a, 4 b. The likeliest first word, a, leads nowhere good.
TableModel garden_path() {
  return TableModel([](std::int32_t, const Words& prefix) -> std::vector<double> {
    if (prefix == Words{1}) return {0, 0, 0, 0.6, 0.4};
    if (prefix == Words{1, 3}) return {0, 0, 0.3, 0.4, 0.3};
    if (prefix == Words{1, 4}) return {0, 0, 0.9, 0.06, 0.04};
    if (prefix == Words{1, 3, 3}) return {0, 0, 0.5, 0.5, 0};
    return {0, 0, 1, 0, 0};
  });
}

// One short translation, a (0.5), and one long, b b b b (0.5 · 0.95).
TableModel short_or_long() {
  return TableModel([](std::int32_t, const Words& prefix) -> std::vector<double> {
    if (prefix.size() == 1) return {0, 0, 0, 0.5, 0.5};
    if (prefix.back() == 3) return {0, 0, 1, 0, 0};
    if (prefix.size() == 5) return {0, 0, 0.95, 0.05, 0};
    return {0, 0, 0, 0, 1};
  });
}

BeamOptions plain(Index beam_size, Index n_best = 1) {
  BeamOptions options;
  options.beam_size = beam_size;
  options.n_best = n_best;
  options.length_penalty = 0;
  return options;
}

std::vector<Hypothesis> search_one(const TranslationModel& model, const BeamOptions& options) {
  return beam_search(model, one_word_sentences({5}), options).at(0);
}

// Every hypothesis there is, with log-probabilities from passes over whole prefixes, sorted as a search
// should.
void collect(const Transformer& model, const SourceBatch& sentence, const BeamOptions& options, Words& prefix,
             double log_probability, std::vector<Hypothesis>& all) {
  const auto score = [&](double total) {
    return total / std::pow((5.0 + static_cast<double>(prefix.size())) / 6.0, options.length_penalty);
  };
  const std::vector<double> next = next_log_probabilities(model, sentence, prefix);
  for (std::int32_t word = 2; word < static_cast<std::int32_t>(next.size()); ++word) {
    const double total = log_probability + next[static_cast<std::size_t>(word)];
    if (word == options.end) {
      all.push_back({{prefix.begin() + 1, prefix.end()}, total, score(total), true});
    } else if (static_cast<Index>(prefix.size()) == options.max_length) {
      all.push_back({{prefix.begin() + 1, prefix.end()}, total, score(total), false});
      all.back().tokens.push_back(word);
    } else {
      prefix.push_back(word);
      collect(model, sentence, options, prefix, total, all);
      prefix.pop_back();
    }
  }
}

std::vector<Hypothesis> exhaustive_search(const Transformer& model, const SourceBatch& sentence,
                                          const BeamOptions& options) {
  std::vector<Hypothesis> all;
  Words prefix = {options.begin};
  collect(model, sentence, options, prefix, 0, all);
  std::sort(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) {
    return a.finished != b.finished ? a.finished : a.score > b.score;
  });
  return all;
}

}  // namespace

TEST_CASE("beam search: a beam of two leaves the garden path that greedy search takes") {
  CHECK(greedy(garden_path(), one_word_sentences({5}))[0].tokens == Words{3, 3});
  const auto found = search_one(garden_path(), plain(2));
  REQUIRE(found.size() == 1);
  CHECK(found[0].tokens == Words{4});
  CHECK(found[0].finished);
  CHECK(found[0].log_probability == Approx(std::log(0.36)).epsilon(table_tolerance));
  CHECK(found[0].score == found[0].log_probability);
}

TEST_CASE("beam search: stops as soon as no live hypothesis can still win") {
  // After two words b has ended with 0.36, and the best live one has 0.24.
  const TableModel model = garden_path();
  search_one(model, plain(2));
  CHECK(model.rows_seen == std::vector<Index>{1, 2});

  // For the two best it has to go on: a b (0.18) ends in the third step.
  const TableModel again = garden_path();
  const auto found = search_one(again, plain(2, 2));
  CHECK(again.rows_seen == std::vector<Index>{1, 2, 2});
  CHECK(found[0].tokens == Words{4});
  CHECK(found[1].tokens == Words{3, 4});
  CHECK(found[1].log_probability == Approx(std::log(0.18)).epsilon(table_tolerance));

  // With a length penalty log 0.24 / lp(max_length) could still beat log 0.36 / lp(2): with α = 1, -1.427
  // / 1.5 = -0.951 for max_length 4 does not, -1.427 / 1.667 = -0.856 for max_length 5 beats -1.022 / 1.167 =
  // -0.876.
  BeamOptions options = plain(2);
  options.length_penalty = 1;
  options.max_length = 4;
  const TableModel four = garden_path();
  search_one(four, options);
  CHECK(four.rows_seen.size() == 2);
  options.max_length = 5;
  const TableModel five = garden_path();
  search_one(five, options);
  CHECK(five.rows_seen.size() == 3);
}

TEST_CASE("length penalty: ((5 + |Y|) / 6)^α by hand") {
  CHECK(length_penalty(1, 0.7) == Approx(1));
  CHECK(length_penalty(7, 1) == Approx(2));
  CHECK(length_penalty(7, 0.5) == Approx(std::sqrt(2.0)));
  CHECK(length_penalty(19, 2) == Approx(16));
  CHECK(length_penalty(50, 0) == 1);
}

TEST_CASE("beam search: the length penalty prefers longer translations") {
  auto found = search_one(short_or_long(), plain(2, 2));
  CHECK(found[0].tokens == Words{3});
  CHECK(found[1].tokens == Words{4, 4, 4, 4});

  BeamOptions options = plain(2, 2);
  options.length_penalty = 1;
  found = search_one(short_or_long(), options);
  CHECK(found[0].tokens == Words{4, 4, 4, 4});
  CHECK(found[0].score == Approx(std::log(0.475) / (10.0 / 6)).epsilon(table_tolerance));
  CHECK(found[0].log_probability == Approx(std::log(0.475)).epsilon(table_tolerance));
  CHECK(found[1].tokens == Words{3});
  CHECK(found[1].score == Approx(std::log(0.5) / (7.0 / 6)).epsilon(table_tolerance));
}

TEST_CASE("coverage penalty: β·Σ log min(attention, 1) by hand") {
  CHECK(coverage_penalty({1, 2.5}, 0.3) == 0);
  CHECK(coverage_penalty({0.5, 3, 0.25}, 2) == Approx(2 * std::log(0.125)));
  CHECK(coverage_penalty({0}, 1) == Approx(std::log(1e-9)));
  CHECK(coverage_penalty({}, 1) == 0);
}

TEST_CASE("beam search: the coverage penalty prefers translations that attend to the whole source") {
  // a (0.6) and b (0.4), each followed by the end. a and its end look at the first word alone; b and its end
  // look at 0.75 + 0.25 of the first and 0.25 + 0.25 of the second. The word after a prefix pays the
  // attention.
  const TableModel::Probabilities probabilities = [](std::int32_t,
                                                     const Words& prefix) -> std::vector<double> {
    return prefix.size() == 1 ? std::vector<double>{0, 0, 0, 0.6, 0.4} : std::vector<double>{0, 0, 1, 0, 0};
  };
  const TableModel model(probabilities, [](const Words& prefix) -> std::vector<Real> {
    if (prefix.size() == 1) return {0.5, 0.125, 0.375};
    return prefix.back() == 3 ? std::vector<Real>{1, 0, 0} : std::vector<Real>{0.25, 0.375, 0.375};
  });
  // The third word is padding and does not count.
  const SourceBatch source{Indices({1, 3}, {5, 5, 0}), Indices(Shape{1}, {2})};
  CHECK(beam_search(model, source, plain(2))[0][0].tokens == Words{3});

  BeamOptions options = plain(2, 2);
  options.coverage_penalty = 0.5;
  const auto found = beam_search(model, source, options)[0];
  // a: sums 1.5 and 0.125; b: sums 0.75 and 0.5.
  CHECK(found[0].tokens == Words{4});
  CHECK(found[0].score == Approx(std::log(0.4) + 0.5 * std::log(0.75 * 0.5)).epsilon(table_tolerance));
  CHECK(found[1].tokens == Words{3});
  CHECK(found[1].score == Approx(std::log(0.6) + 0.5 * std::log(0.125)).epsilon(table_tolerance));

  const TableModel unseen(probabilities);
  CHECK_THROWS_AS(beam_search(unseen, source, options), std::invalid_argument);
  CHECK_THROWS_WITH(
      beam_search(unseen, source, options),
      "beam_search: a coverage penalty needs a model that lets its attention to the source be recorded");
}

TEST_CASE("beam search: the coverage of a transformer is the attention of its last layer") {
  const Transformer model = small_transformer(12, 5, 2);
  const SourceBatch batch = random_sentences({6, 3}, 12, 8);
  BeamOptions options = plain(4, 4);
  options.coverage_penalty = 0.7;
  options.max_length = 8;
  const auto found = beam_search(model, batch, options);
  for (Index b = 0; b < 2; ++b) {
    for (const Hypothesis& hypothesis : found[static_cast<std::size_t>(b)]) {
      Words read = hypothesis.tokens;  // what the decoder read to say it
      if (!hypothesis.finished) read.pop_back();
      read.insert(read.begin(), 1);
      const NoGrad no_grad;
      const Var memory = model.encode(only(batch, b));
      AttentionRecorder recorder;
      model.decode(Indices({1, static_cast<Index>(read.size())}, read), memory, {});
      const Tensor weights = recorder.recorded().back().weights;  // [1, H, T, S]
      std::vector<double> attention(static_cast<std::size_t>(weights.dim(3)));
      for (Index i = 0; i < weights.size(); ++i)
        attention[static_cast<std::size_t>(i % weights.dim(3))] += static_cast<double>(weights.data()[i]) / 4;
      CHECK(hypothesis.score ==
            Approx(hypothesis.log_probability + coverage_penalty(attention, 0.7)).epsilon(1e-4));
    }
  }
}

TEST_CASE("beam search: a beam of one finds what greedy search finds") {
  DecodingOptions greedy_options;
  greedy_options.max_length = 12;
  int finished = 0, unfinished = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Transformer model = small_transformer(9, seed, 2);
    const SourceBatch batch = random_sentences({7, 3, 5, 1, 6}, 9, seed);
    const auto expected = greedy(model, batch, greedy_options);
    for (double alpha : {0.0, 0.6, 3.0}) {
      BeamOptions options = plain(1);
      options.max_length = 12;
      options.length_penalty = alpha;
      const auto found = beam_search(model, batch, options);
      for (std::size_t b = 0; b < expected.size(); ++b) {
        REQUIRE(found[b].size() == 1);
        CHECK(found[b][0].tokens == expected[b].tokens);
        CHECK(found[b][0].log_probability == expected[b].log_probability);
        CHECK(found[b][0].finished == expected[b].finished);
        ++(expected[b].finished ? finished : unfinished);
      }
    }
  }
  CHECK(finished > 0);
  CHECK(unfinished > 0);
}

TEST_CASE("beam search: a beam over the whole space finds what exhaustive search finds") {
  // Words end, 3, 4, 5; at most four: 40 hypotheses that end and 81 that do not.
  const double alpha = GENERATE(0.0, 0.6, 2.0);
  BeamOptions options;
  options.max_length = 4;
  options.beam_size = 121;
  options.length_penalty = alpha;
  const std::vector<std::string> attentions = {"scaled_dot", "scaled_dot", "scaled_dot", "additive",
                                               "cosine"};
  for (std::uint64_t seed = 1; seed <= attentions.size(); ++seed) {
    const Transformer model = small_transformer(6, seed, 2, NormPlace::before, attentions[seed - 1]);
    const SourceBatch batch = random_sentences({4, 2}, 6, seed);
    options.n_best = 121;
    const auto all = beam_search(model, batch, options);
    options.n_best = 1;
    const auto best = beam_search(model, batch, options);
    for (Index b = 0; b < 2; ++b) {
      const auto expected = exhaustive_search(model, only(batch, b), options);
      const auto& found = all[static_cast<std::size_t>(b)];
      REQUIRE(expected.size() == 121);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(found[i].tokens == expected[i].tokens);
        CHECK(found[i].finished == expected[i].finished);
        CHECK(found[i].log_probability == Approx(expected[i].log_probability).epsilon(1e-4).margin(1e-5));
        CHECK(found[i].score == Approx(expected[i].score).epsilon(1e-4).margin(1e-5));
      }
      CHECK(best[static_cast<std::size_t>(b)].at(0).tokens == expected[0].tokens);
    }
  }
}

TEST_CASE(
    "beam search: the hypotheses have the log-probabilities of passes over the whole of them, and are "
    "sorted") {
  const Transformer model = small_transformer(12, 5, 2);
  const SourceBatch batch = random_sentences({7, 3, 5, 1, 6}, 12, 8);
  BeamOptions options;
  options.beam_size = options.n_best = 4;
  options.max_length = 9;
  const auto found = beam_search(model, batch, options);
  for (Index b = 0; b < 5; ++b) {
    const auto& hypotheses = found[static_cast<std::size_t>(b)];
    REQUIRE(hypotheses.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      Words said = hypotheses[i].tokens, prefix = {1};
      if (hypotheses[i].finished) said.push_back(2);
      double log_probability = 0;
      for (std::int32_t word : said) {
        log_probability +=
            next_log_probabilities(model, only(batch, b), prefix)[static_cast<std::size_t>(word)];
        prefix.push_back(word);
      }
      CHECK(hypotheses[i].log_probability == Approx(log_probability).epsilon(1e-4).margin(1e-5));
      CHECK(std::count(said.begin(), said.end(), 0) + std::count(said.begin(), said.end(), 1) == 0);
      if (i == 0) continue;
      const Hypothesis& before = hypotheses[i - 1];
      CHECK((before.finished > hypotheses[i].finished || before.score >= hypotheses[i].score));
    }
  }
}

TEST_CASE("beam search: a batch finds what each sentence finds alone") {
  const Transformer model = small_transformer(12, 6);
  const SourceBatch batch = random_sentences({2, 7, 4}, 12, 9);
  BeamOptions options;
  options.n_best = 3;
  options.max_length = 10;
  const auto together = beam_search(model, batch, options);
  for (Index b = 0; b < 3; ++b) {
    const auto alone = beam_search(model, only(batch, b), options)[0];
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(alone[i].tokens == together[static_cast<std::size_t>(b)][i].tokens);
  }
}

TEST_CASE("beam search: every hypothesis runs to max_length when no word is the end") {
  BeamOptions options = plain(3, 3);
  options.end = -1;
  options.max_length = 5;
  const TableModel even([](std::int32_t, const Words&) { return std::vector<double>(5, 0.2); });
  const auto found = search_one(even, options);
  REQUIRE(found.size() == 3);
  for (const Hypothesis& hypothesis : found) {
    CHECK(hypothesis.tokens.size() == 5);
    CHECK_FALSE(hypothesis.finished);
  }
  CHECK(even.rows_seen == std::vector<Index>{1, 3, 3, 3, 3});
}

TEST_CASE("beam search: the tree holds what was kept, ended and pruned") {
  std::vector<BeamTree> trees;
  beam_search(garden_path(), one_word_sentences({5}), plain(2), &trees);
  REQUIRE(trees.size() == 1);
  using Fate = BeamNode::Fate;
  struct Expected {
    std::int32_t token;
    Index parent, step, rank;
    double probability;
    Fate fate;
  };
  // In the second step: b end, a a, a end (not among the two best), a b.
  const std::vector<Expected> expected = {{1, -1, -1, 0, 1, Fate::kept},  {3, 0, 0, 0, 0.6, Fate::kept},
                                          {4, 0, 0, 1, 0.4, Fate::kept},  {2, 2, 1, 0, 0.36, Fate::ended},
                                          {3, 1, 1, 1, 0.24, Fate::kept}, {2, 1, 1, 2, 0.18, Fate::pruned},
                                          {4, 1, 1, 3, 0.18, Fate::kept}};
  REQUIRE(trees[0].nodes.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const BeamNode& node = trees[0].nodes[i];
    CHECK(node.token == expected[i].token);
    CHECK(node.parent == expected[i].parent);
    CHECK(node.step == expected[i].step);
    CHECK(node.rank == expected[i].rank);
    CHECK(std::exp(node.log_probability) == Approx(expected[i].probability).epsilon(table_tolerance));
    CHECK(node.fate == expected[i].fate);
  }
  CHECK(trees[0].results == std::vector<Index>{3});
}

TEST_CASE("beam search: no sentences give no translations") {
  std::vector<BeamTree> trees(3);
  CHECK(beam_search(garden_path(), {Indices({0, 3}, {}), Indices(Shape{0}, {})}, {}, &trees).empty());
  CHECK(trees.empty());
}

TEST_CASE("beam search: bad options and logits that are not numbers are refused") {
  const auto search_with = [](auto change) {
    BeamOptions options;
    change(options);
    search_one(garden_path(), options);
  };
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.max_length = -2; }),
                    "beam_search: max_length must be positive: got -2");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.begin = -1; }),
                    "beam_search: begin must be a token: got -1");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.beam_size = 0; }),
                    "beam_search: beam_size must be positive: got 0");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.n_best = 6; }),
                    "beam_search: n_best must lie in 1 … beam_size: got 6, beam_size is 5");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.n_best = 0; }),
                    "beam_search: n_best must lie in 1 … beam_size: got 0, beam_size is 5");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.length_penalty = -0.5; }),
                    "beam_search: length_penalty must be a number from 0 on: got -0.5");
  CHECK_THROWS_WITH(search_with([](BeamOptions& o) { o.coverage_penalty = std::nan(""); }),
                    "beam_search: coverage_penalty must be a number from 0 on: got nan");

  const TableModel broken([](std::int32_t source, const Words& prefix) {
    const bool fails = source == 7 && prefix.size() == 2;
    return std::vector<double>(5, fails ? std::numeric_limits<double>::quiet_NaN() : 0.2);
  });
  BeamOptions options;
  options.max_length = 2;
  options.end = -1;
  CHECK_THROWS_WITH(
      beam_search(broken, one_word_sentences({3, 7}), options),
      "beam_search: some word must have a probability above 0: sentence 1, step 1; are the model's "
      "logits numbers?");
}
