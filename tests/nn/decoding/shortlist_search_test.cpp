// Searching among the words of a shortlist.
#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/decoding/beam_search.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;
constexpr Index all_words = 50;

Words every_word() {
  Words words;
  for (std::int32_t word = 0; word < all_words; ++word) words.push_back(word);
  return words;
}

SourceBatch listed(Words shortlist) {
  SourceBatch source = random_sentences({5, 3, 6}, all_words, 2);
  source.shortlist = std::move(shortlist);
  return source;
}

const Indices first_words({3}, {1, 7, 9});

TopClasses best_of(const Transformer& model, const SourceBatch& source, const Words& excluded) {
  const auto state = model.start(source);
  return model.next_best(first_words, *state, 4, excluded);
}

}  // namespace

TEST_CASE("shortlist: with every word in it, a search has the bits of one without") {
  Transformer model = small_transformer(all_words, 1);
  model.set_precision(GENERATE(Precision::real, Precision::int8));
  const TopClasses whole = best_of(model, listed({}), {0, 1}),
                   same = best_of(model, listed(every_word()), {0, 1});
  CHECK(same.ids == whole.ids);
  CHECK(same.log_probabilities == whole.log_probabilities);
}

TEST_CASE("shortlist: the best words are those among its logits, whose probabilities sum to 1") {
  const Transformer model = small_transformer(all_words, 2);
  const Words words = {1, 2, 5, 11, 30, 31, 49};
  const auto state = model.start(listed({}));
  Tensor logits = model.next(first_words, *state);
  Real* numbers = logits.mutable_data();
  for (Index row = 0; row < 3; ++row)
    for (std::int32_t word = 0; word < all_words; ++word)
      if (!std::binary_search(words.begin(), words.end(), word))
        numbers[row * all_words + word] = -std::numeric_limits<Real>::infinity();
  const TopClasses expected = top_log_softmax(logits, 4, {0, 5}),
                   found = best_of(model, listed(words), {0, 5});
  CHECK(found.ids == expected.ids);
  for (std::size_t i = 0; i < found.ids.size(); ++i)
    CHECK(found.log_probabilities[i] == Approx(expected.log_probabilities[i]).epsilon(1e-4).margin(1e-4));
}

TEST_CASE("shortlist: a translation has no other words, and ends are found where few are left") {
  const Transformer model = small_transformer(all_words, 3);
  const Words words = {2, 20, 21};
  BeamOptions options;
  options.beam_size = 4;
  options.max_length = 8;
  options.n_best = 4;
  Index finished = 0;
  for (const auto& hypotheses : beam_search(model, listed(words), options))
    for (const Hypothesis& hypothesis : hypotheses) {
      finished += hypothesis.finished;
      for (const std::int32_t word : hypothesis.tokens)
        CHECK(std::binary_search(words.begin(), words.end(), word));
    }
  CHECK(finished > 0);
}

TEST_CASE("shortlist: one that does not rise, or has words that there are not, is refused") {
  const Transformer model = small_transformer(all_words, 4);
  const auto refused = [&](const Words& words, const std::string& what) {
    CHECK_THROWS_WITH(model.start(listed(words)),
                      "transformer: a shortlist must be of words 0 … 49 in ascending order: it " + what);
  };
  refused({2, 5, 5, 8}, "has 5 before 5");
  refused({2, 9, 7}, "has 9 before 7");
  refused({-1, 2}, "goes from -1 to 2");
  refused({2, 50}, "goes from 2 to 50");
}
