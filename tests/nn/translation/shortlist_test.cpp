#include <gradual/nn/translation/shortlist.hpp>

#include <algorithm>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/translation/ibm_model1.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

using Ids = std::vector<std::int32_t>;
constexpr std::int32_t a = 4, b = 5, x = 6, y = 7;  // two source words and two target words

// "a" is translated by "x", and "a b" by "x y".
const std::vector<EncodedPair> two_pairs = {{{a}, {x}}, {{a, b}, {x, y}}};

}  // namespace

TEST_CASE("ibm model 1: two rounds by hand") {
  // At first all t are alike. The x of the first pair comes from a; each word of the second comes half from a
  // and half from b. So c(x|a) = 3/2, c(y|a) = 1/2, c(x|b) = c(y|b) = 1/2.
  const IbmModel1 once(two_pairs, 1);
  CHECK(once.probability(x, a) == Approx(3.0 / 4));
  CHECK(once.probability(y, a) == Approx(1.0 / 4));
  CHECK(once.probability(x, b) == Approx(1.0 / 2));
  CHECK(once.probability(y, b) == Approx(1.0 / 2));
  // Now the second pair's x comes from a by (3/4)/(5/4) = 3/5, and its y by (1/4)/(3/4) = 1/3: c(x|a) = 8/5,
  // c(y|a) = 1/3, c(x|b) = 2/5, c(y|b) = 2/3.
  const IbmModel1 twice(two_pairs, 2);
  CHECK(twice.probability(x, a) == Approx(24.0 / 29));
  CHECK(twice.probability(y, a) == Approx(5.0 / 29));
  CHECK(twice.probability(x, b) == Approx(3.0 / 8));
  CHECK(twice.probability(y, b) == Approx(5.0 / 8));
}

TEST_CASE("ibm model 1: a word that stands twice counts twice, and what never met has no probability") {
  // Of "a a b" each target word takes 1/3 from each place: a has 2/3 of them all. With x twice in the target:
  // c(x|a) = 4/3, c(y|a) = 2/3.
  const IbmModel1 model({{{a, a, b}, {x, x, y}}}, 1);
  CHECK(model.probability(x, a) == Approx(2.0 / 3));
  CHECK(model.probability(y, b) == Approx(1.0 / 3));
  CHECK(model.probability(9, a) == 0);
  CHECK(model.probability(x, 9) == 0);
  CHECK(model.probability(x, -1) == 0);
  CHECK(IbmModel1({{{0}, {x, y}}}, 1).probability(x, 0) == Approx(1.0 / 2));  // 0 is a word
  CHECK(model.likeliest(9, 5).empty());
}

TEST_CASE("ibm model 1: the likeliest translations come first, and of equal ones the lower") {
  const IbmModel1 model(two_pairs, 2);
  CHECK(model.likeliest(a, 5) == Ids{x, y});
  CHECK(model.likeliest(b, 5) == Ids{y, x});
  CHECK(model.likeliest(b, 1) == Ids{y});
  CHECK(IbmModel1(two_pairs, 1).likeliest(b, 2) == Ids{x, y});
  CHECK_THROWS_WITH(IbmModel1(two_pairs, 0), "ibm_model1: rounds must be positive: got 0");
  CHECK_THROWS_WITH(IbmModel1({{{a}, {-3}}}, 1), "ibm_model1: words must not be negative: got -3");
}

TEST_CASE("shortlist: the frequent words, end and unknown, and the translations of the words of a batch") {
  ShortlistOptions options;
  options.most_frequent = 1;  // x stands twice
  options.likeliest = 1;
  options.rounds = 2;
  const Shortlist shortlist(two_pairs, options);
  CHECK(shortlist.words_for({}) == Ids{2, 3, x});
  CHECK(shortlist.words_for({{a}, {a, 99, 3}}) == Ids{2, 3, x});
  CHECK(shortlist.words_for({{a}, {b}}) == Ids{2, 3, x, y});
  CHECK(shortlist.highest() == y);
  options.most_frequent = 0;
  CHECK(Shortlist(two_pairs, options).words_for({{b}}) == Ids{2, 3, y});
  options.likeliest = -1;
  CHECK_THROWS_WITH(Shortlist(two_pairs, options),
                    "shortlist: there must be no fewer than 0 words: got 0 of the most frequent, -1 of the "
                    "likeliest");
}

TEST_CASE("shortlist: a file gives the same words again, and one that is damaged is refused") {
  const TestFolder folder;
  const std::string path = folder / "shortlist.txt";
  const Shortlist shortlist(two_pairs, {});
  shortlist.save(path);
  CHECK(content(path) == "gradual shortlist for 0 by 6 words\n2 3 6 7\n\n\n\n\n6 7\n7 6\n");
  const Shortlist again = Shortlist::load(path);
  for (const Ids& sentence : {Ids{a}, Ids{b}, Ids{}})
    CHECK(again.words_for({sentence}) == shortlist.words_for({sentence}));
  for (std::string cut = shortlist.lines(); !cut.empty();) {
    cut.pop_back();
    INFO(cut);
    CHECK_THROWS_AS(Shortlist::load(folder.write("cut.txt", cut)), FileError);
  }
  folder.write("shortlist.txt", "gradual shortlist for 18446744073709551615\n9 4 2\n");
  CHECK(Shortlist::load(path).words_for({}) == Ids{2, 4, 9});
  CHECK(Shortlist::load(path).vocabularies() == 18446744073709551615u);
  folder.write("shortlist.txt", "gradual shortlist for 0\n2 0 3\n");
  CHECK(Shortlist::load(path).words_for({}) == Ids{0, 2, 3});  // 0 is a word's number, too
  const auto refusal = [&](const std::string& bytes) {
    folder.write("shortlist.txt", bytes);
    return message_of<FileError>([&] { Shortlist::load(path); }).substr(path.size());
  };
  for (const char* other : {"2 3 6 7\n", "gradual shortlist 1\n2 3\n", "gradual shortlist for 1x\n2 3\n",
                            "gradual shortlist for \n2 3\n"})
    CHECK(refusal(other) == ": is not a shortlist");
  CHECK(refusal("gradual shortlist for 0\n") == ": the file ends before its words");
  CHECK(refusal("gradual shortlist for 0\n3 6\n") ==
        ":2: sentences must be able to end: the end token is missing");
  CHECK(refusal("gradual shortlist for 0\n2 3\n" + std::string(longest_line + 1, '2')) ==
        ":3: a line must have at most 16777216 bytes");
  CHECK(refusal(std::string(longest_line + 1, '2')) == ":1: a line must have at most 16777216 bytes");
  for (const char* line : {"2 x", "2 -3", "2  3", "2 99999999999", "2 3 "})
    CHECK(refusal(std::string("gradual shortlist for 0\n2 3\n") + line + "\n") ==
          ":3: not a list of words by their numbers");
}

TEST_CASE(
    "shortlist: a translator writes its words alone, searches with it alone, and takes none that is not for "
    "it") {
  const Language letters{Tokenizer(), Vocabulary::build({{"a", "b", "c", "d", "e", "f"}})};
  TransformerConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  Translator translator(config, letters, letters, Random(1));
  const std::vector<std::string> sentences = {"a b", "b"};
  BeamOptions search;
  search.max_length = 4;
  const auto words_of = [&] {
    std::set<std::int32_t> words;
    for (const auto& hypotheses : translator.search(sentences, search))
      words.insert(hypotheses.front().tokens.begin(), hypotheses.front().tokens.end());
    return words;
  };
  const std::set<std::int32_t> before = words_of();
  std::vector<std::int32_t> others;  // that it does not write of its own accord
  for (std::int32_t word = 4; word < 10; ++word)
    if (before.count(word) == 0) others.push_back(word);
  REQUIRE(others.size() >= 2);
  const ShortlistOptions none_always{0, 2, 1};
  const Shortlist list({{{a}, {others[0]}}, {{a, b}, {others[0], others[1]}}}, none_always);
  translator.set_shortlist(list);
  for (const std::int32_t word : words_of())
    CHECK((word == others[0] || word == others[1] || word == Vocabulary::unknown));
  CHECK_THROWS_WITH(translator.draw(sentences, search, SamplingOptions(), Random(1)),
                    "translator: a shortlist is for searches alone: what is drawn may be any word");
  CHECK_THROWS_WITH(translator.draw(sentences, 2, search, 1, Random(1)),
                    "translator: a shortlist is for searches alone: what is drawn may be any word");
  CHECK_THROWS_WITH(
      translator.set_shortlist(Shortlist({{{a}, {10}}}, none_always)),
      "translator: a shortlist must be of words of the model: it has word 10, the vocabulary ends "
      "before 10");
  const std::vector<EncodedPair> pairs = {{{a}, {others[0]}}};
  CHECK_NOTHROW(translator.set_shortlist(Shortlist(pairs, none_always, translator.vocabularies())));
  const Language fewer{Tokenizer(), Vocabulary::build({{"a", "b", "c", "d", "e"}})};
  const Translator of_others(config, fewer, letters, Random(1));
  CHECK_THROWS_WITH(
      translator.set_shortlist(Shortlist(pairs, none_always, of_others.vocabularies())),
      "translator: a shortlist must be made for the vocabularies of the model: this one was made for others");
  RecurrentConfig recurrent;
  recurrent.embedding_width = recurrent.hidden_width = 8;
  Translator other(recurrent, letters, letters, Random(1));
  CHECK_THROWS_WITH(
      other.set_shortlist(list),
      "translator: a shortlist needs one transformer without a bias of its words: this model is another");
}
