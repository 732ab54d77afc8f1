#include <gradual/nn/translation/run/corpora.hpp>

#include <filesystem>
#include <set>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

// Pairs of distinct sources.
std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "a" + std::to_string(i) + "\tb" + std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("corpora: of a short file a tenth is held out, of any as many as are asked for") {
  const TestFolder folder;
  CorpusOptions options;
  options.tsv = folder.write("pairs", lines(50));
  options.validation = 4;
  const Corpora tenth = load_corpora(options);
  REQUIRE(tenth.held_out.size() == 1);
  CHECK(tenth.held_out[0].name == "held-out");
  CHECK(tenth.held_out[0].pairs.size() == 5);
  CHECK(tenth.text->validation().size() == 4);
  CHECK(tenth.text->size() == 41);
  CHECK(tenth.aligned.empty());
  options.held_out = 7;
  CHECK(load_corpora(options).held_out[0].pairs.size() == 7);
}

TEST_CASE("corpora: where a model reads lower case, a sentence goes the way of the one in capitals") {
  const TestFolder folder;
  CorpusOptions options;
  options.tsv = folder.write("pairs", lines(20) + "A" + lines(1).substr(1));
  options.held_out = 10;
  int together = 0;
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    options.language.lower_case = true;
    std::set<std::string> kept;
    const Corpora corpora = load_corpora(options);
    for (const SentencePair& pair : corpora.held_out[0].pairs) kept.insert(pair.source);
    CHECK(kept.count("a0") == kept.count("A0"));
    together += static_cast<int>(kept.count("a0"));
  }
  CHECK((together > 0 && together < 10));
}

TEST_CASE("corpora: with a test set of its own nothing is held out, and two files are read line by line") {
  const TestFolder folder;
  CorpusOptions options;
  options.source_file = folder.write("source", "one\ntwo\n");
  options.target_file = folder.write("target", "un\ndeux\n");
  options.test_source_file = folder.write("test source", "three\n");
  options.test_target_file = folder.write("test target", "trois\n");
  const Corpora corpora = load_corpora(options);
  CHECK(corpora.text->size() == 2);
  REQUIRE(corpora.held_out.size() == 1);
  CHECK(corpora.held_out[0].name == "test");
  CHECK(corpora.held_out[0].pairs == std::vector<SentencePair>{{"three", "trois"}});
}

TEST_CASE("corpora: without a file the embedded corpus, of which it is known which words belong together") {
  const Corpora corpora = load_corpora({});
  REQUIRE(corpora.held_out.size() == 2);
  CHECK(corpora.held_out[0].name == "held-out");
  CHECK(corpora.held_out[1].name == "compositional");
  REQUIRE(corpora.aligned.size() == 100);
  CHECK(corpora.aligned[7].pair == corpora.held_out[0].pairs[7]);
  CHECK_FALSE(corpora.aligned[7].alignment.empty());
}

TEST_CASE("corpora: held-out sets are read as they were saved, and a folder without any has none") {
  const TestFolder folder;
  const std::string path = folder / "run";
  std::filesystem::create_directory(path);
  CHECK(load_held_out(path).empty());
  save_held_out(path, {{"compositional", {{"c", "d"}}}, {"held-out", {{"a", "b"}, {"é", "ü"}}}});
  const std::vector<HeldOutSet> sets = load_held_out(path);
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].name == "held-out");
  CHECK(sets[0].pairs == std::vector<SentencePair>{{"a", "b"}, {"é", "ü"}});
  CHECK(sets[1].pairs == std::vector<SentencePair>{{"c", "d"}});
  CHECK(sentences_to_try(sets, 2) == std::vector<std::string>{"a", "c"});  // by turns
  CHECK(sentences_to_try(sets, 9) == std::vector<std::string>{"a", "c", "é"});
  CHECK(sentences_to_try({{"long", {{std::string(61, 'x'), "y"}, {"b", "y"}, {"b", "z"}}}}, 9) ==
        std::vector<std::string>{"b"});
  CHECK(sentences_to_try({{"odd", {{"a\x1B[2J", "y"}, {"b", "y"}}}}, 9) == std::vector<std::string>{"b"});
  CHECK(pair_for_a_line(sets) == nullptr);
  const std::vector<HeldOutSet> pairs = {
      {"some", {{"Go.", "Va."}, {"The small cat sleeps.", "Le petit chat dort."}}}};
  CHECK(pair_for_a_line(pairs) == &pairs[0].pairs[1]);
  folder.write("run/test.tsv", "no tab\n");
  CHECK_THROWS_AS(load_held_out(path), FileError);
}

TEST_CASE(
    "corpora: of the sentences of a test set those are counted that are trained on, as a model reads them") {
  ListStream<SentencePair> text({{"a b", "1"}, {"c", "2"}, {"a b", "3"}, {"D", "4"}});
  CHECK(trained_on(text, {"a  b", "x", "d", "c"}, false) == 2);
  CHECK(trained_on(text, {"a  b", "x", "d", "c"}, true) == 3);
  CHECK(trained_on(text, {"c", "c", "x"}, false) == 2);
  CHECK(trained_on(text, {}, false) == 0);
}

TEST_CASE("corpora: of several runs that is left which all kept back, be it in a set of another name") {
  const std::vector<HeldOutSet> first = {{"held-out", {{"a", "1"}, {"a", "2"}, {"b", "3"}, {"c", "4"}}},
                                         {"compositional", {{"d", "5"}}}};
  const std::vector<HeldOutSet> second = {{"held-out", {{"a", "1"}, {"d", "5"}, {"c", "9"}}},
                                          {"test", {{"b", "9"}}}};
  std::vector<HeldOutSet> left = kept_back_by_all(first, {second});
  REQUIRE(left.size() == 2);
  CHECK(left[0].pairs == std::vector<SentencePair>{{"a", "1"}, {"a", "2"}, {"c", "4"}});
  CHECK(left[1].pairs == std::vector<SentencePair>{{"d", "5"}});
  left = kept_back_by_all(first, {second, turned_round({{"held-out", {{"4", "c"}, {"b", "a"}}}})});
  CHECK(left[0].pairs == std::vector<SentencePair>{{"a", "1"}, {"a", "2"}, {"c", "4"}});
  CHECK(left[1].pairs.empty());
  CHECK(kept_back_by_all(first, {})[0].pairs == first[0].pairs);
  // A test set is a file of its own: it was not kept back of any text, and others know nothing of it.
  const std::vector<HeldOutSet> tested = {{"test", {{"b", "9"}, {"x", "1"}}}};
  CHECK(kept_back_by_all(tested, {first})[0].pairs == tested[0].pairs);
  CHECK(kept_back_by_all(tested, {second})[0].pairs == std::vector<SentencePair>{{"b", "9"}});
  CHECK(kept_back_by_all(first, {tested})[0].pairs == first[0].pairs);
  CHECK_FALSE(has_kind_of(tested[0], first));
}
