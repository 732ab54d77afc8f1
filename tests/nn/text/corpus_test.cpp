#include <gradual/nn/text/corpus.hpp>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

using Pairs = std::vector<SentencePair>;

std::string tsv_failure(const std::string& path) {
  return message_of<FileError>([&] { read_tsv(path); });
}

Pairs numbered_pairs(int sources, int translations) {
  Pairs pairs;
  for (int s = 0; s < sources; ++s) {
    for (int t = 0; t < translations; ++t) {
      pairs.push_back(
          {"source " + std::to_string(s), "target " + std::to_string(s) + "." + std::to_string(t)});
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("corpus: a TSV file gives its pairs in order, the same pair twice included") {
  const TestFolder folder;
  const std::string path = folder.write("a.tsv", "Go.\tVa !\nHi.\tSalut !\nGo.\tVa !\n");
  CHECK(read_tsv(path) == Pairs{{"Go.", "Va !"}, {"Hi.", "Salut !"}, {"Go.", "Va !"}});
}

TEST_CASE(
    "corpus: byte order mark, Windows line ends, further columns, empty lines and a missing last line end") {
  const TestFolder folder;
  const std::string path = folder.write("a.tsv",
                                        "\xEF\xBB\xBFGo.\tVa\u202F!\tCC-BY 2.0 (France)\t#1\r\n\r\n  \t \r\n "
                                        " \r\n Run! \t Cours\u00A0! \r\nHi.\tSalut");
  CHECK(read_tsv(path) == Pairs{{"Go.", "Va !"}, {"Run!", "Cours !"}, {"Hi.", "Salut"}});
}

TEST_CASE("corpus: each thing that is wrong in a TSV file is named with its line") {
  const TestFolder folder;
  const auto failure = [&](const std::string& bytes) { return tsv_failure(folder.write("bad.tsv", bytes)); };
  const std::string path = folder / "bad.tsv";
  CHECK(failure("Go.\tVa !\n\nHi. Salut !\n") == path + ":3: no tab between source and target");
  CHECK(failure("Go.\tVa !\nCaf\xE9.\tCaf\u00E9.\n") ==
        path + ":2: the text must be valid UTF-8: byte 3 of the line is not");
  CHECK(failure("Go.\t \n") == path + ":1: the target sentence is empty");
  CHECK(failure("\tVa !\n") == path + ":1: the source sentence is empty");
  CHECK(failure("") == path + ": the corpus is empty: there is no line `source TAB target`");
  CHECK(failure("\n \n") == path + ": the corpus is empty: there is no line `source TAB target`");
}

TEST_CASE("corpus: a file that is not there and a folder cannot be read") {
  const TestFolder folder;
  CHECK(tsv_failure(folder / "none.tsv") ==
        folder / "none.tsv" + ": cannot be read: No such file or directory");
  CHECK(tsv_failure(folder / "") == folder / "" + ": cannot be read: Is a directory");
}

TEST_CASE("corpus: a line of a million characters is read whole") {
  const TestFolder folder;
  const std::string longest(1000000, 'x');
  CHECK(read_tsv(folder.write("a.tsv", "Go.\t" + longest + "\n")) == Pairs{{"Go.", longest}});
}

TEST_CASE("corpus: two aligned files are read line by line") {
  const TestFolder folder;
  const std::string source = folder.write("a.en", "Go.\r\n\r\nHi there.\n"),
                    target = folder.write("a.fr", "Va !\n\nSalut.\n");
  CHECK(read_aligned(source, target) == Pairs{{"Go.", "Va !"}, {"Hi there.", "Salut."}});
}

TEST_CASE("corpus: aligned files of different length are refused with both line counts") {
  const TestFolder folder;
  const std::string two = folder.write("two", "a\nb\n"), four = folder.write("four", "a\nb\nc\nd\n");
  const auto failure = [](const std::string& source, const std::string& target) {
    return message_of<FileError>([&] { read_aligned(source, target); });
  };
  CHECK(failure(two, four) == two + ": the files must have the same number of lines: 2 here, 4 in " + four);
  CHECK(failure(four, two) == four + ": the files must have the same number of lines: 4 here, 2 in " + two);
}

TEST_CASE("corpus: a line that is empty on one side only is refused in the file where it is empty") {
  const TestFolder folder;
  const std::string source = folder.write("a.en", "a\nb\n"), target = folder.write("a.fr", "a\n\n");
  CHECK(message_of<FileError>([&] { read_aligned(source, target); }) ==
        target + ":2: the target sentence is empty");
  CHECK(message_of<FileError>([&] { read_aligned(target, source); }) ==
        target + ":2: the source sentence is empty");
}

TEST_CASE("corpus: what write_tsv wrote, read_tsv reads") {
  const TestFolder folder;
  const Pairs pairs = {
      {"Go.", "Va !"}, {"He says \"no\".", "Il dit \u00AB non \u00BB."}, {"\U0001F642", "\u00E9"}};
  write_tsv(folder / "a.tsv", pairs);
  CHECK(content(folder / "a.tsv") ==
        "Go.\tVa !\nHe says \"no\".\tIl dit \u00AB non \u00BB.\n\U0001F642\t\u00E9\n");
  CHECK(read_tsv(folder / "a.tsv") == pairs);
}

TEST_CASE("corpus: a sentence that would break the file's lines is not written, and the old file stays") {
  const TestFolder folder;
  const std::string path = folder.write("a.tsv", "old");
  CHECK_THROWS_AS(write_tsv(path, {{"a\tb", "c"}}), std::invalid_argument);
  CHECK_THROWS_AS(write_tsv(path, {{"a", "b\nc"}}), std::invalid_argument);
  CHECK(content(path) == "old");
  CHECK_THROWS_AS(write_tsv(folder / "none/a.tsv", {{"a", "b"}}), FileError);
}

TEST_CASE("corpus: a split keeps every pair once, in order, and all translations of a source on one side") {
  const Pairs pairs = numbered_pairs(100, 3);
  const CorpusSplit split = split_by_source(pairs, 17, 1);
  CHECK(split.held_out.size() == 17 * 3);
  CHECK(split.train.size() == 83 * 3);

  std::set<std::string> held_sources;
  for (const SentencePair& pair : split.held_out) held_sources.insert(pair.source);
  CHECK(held_sources.size() == 17);
  Pairs merged;
  auto train = split.train.begin(), held = split.held_out.begin();
  for (const SentencePair& pair : pairs)
    merged.push_back(held_sources.count(pair.source) ? *held++ : *train++);
  CHECK(merged == pairs);
}

TEST_CASE("corpus: the seed alone decides what is held out, and every source can be") {
  const Pairs pairs = numbered_pairs(20, 1);
  CHECK(split_by_source(pairs, 5, 3).held_out == split_by_source(pairs, 5, 3).held_out);
  CHECK_FALSE(split_by_source(pairs, 5, 3).held_out == split_by_source(pairs, 5, 4).held_out);

  std::map<std::string, int> times_held;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    for (const SentencePair& pair : split_by_source(pairs, 5, seed).held_out) ++times_held[pair.source];
  }
  // Each is held out 100 times on average with a standard deviation of 8.7.
  CHECK(times_held.size() == 20);
  for (const auto& [source, times] : times_held) CHECK((times > 55 && times < 145));
}

TEST_CASE("corpus: a split that leaves nothing to train on is refused") {
  const Pairs pairs = numbered_pairs(4, 2);
  CHECK(split_by_source(pairs, 0, 1).train == pairs);
  CHECK(split_by_source(pairs, 3, 1).train.size() == 2);
  CHECK(message_of<std::invalid_argument>([&] { split_by_source(pairs, 4, 1); }) ==
        "split_by_source: the held-out sentences must leave some for training: held_out is 4, there are 4 "
        "distinct "
        "source sentences");
  CHECK_THROWS_AS(split_by_source(pairs, -1, 1), std::invalid_argument);
}

TEST_CASE("corpus: pairs with too many words on either side are dropped and counted") {
  Pairs pairs = {{"one two three", "un deux trois"},
                 {"one two  three four", "un"},
                 {"one", "un deux trois quatre"},
                 {"one", "un"}};
  CHECK(drop_long_pairs(pairs, 3) == 2);
  CHECK(pairs == Pairs{{"one two three", "un deux trois"}, {"one", "un"}});
  CHECK(drop_long_pairs(pairs, 3) == 0);
}
