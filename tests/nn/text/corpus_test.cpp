#include <gradual/nn/text/corpus.hpp>

#include <fstream>
#include <memory>
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

TEST_CASE("corpus: a line becomes a sentence without marks, line ends and white space but plain spaces") {
  CHECK(clean_sentence("\xEF\xBB\xBF\u00A0 The\tcat\rsleeps\u202F! \v\r\n") == "The cat sleeps !");
  CHECK(clean_sentence("Le\u0001 chat") == "Le\u0001 chat");  // no white space
  CHECK(clean_sentence(" \t\u00A0\r").empty());
  CHECK(clean_sentence("").empty());
  CHECK(clean_sentence(" \xEF\xBB\xBF").empty());
  CHECK(clean_sentence("\u3000 \u2003\u3000").empty());
  CHECK(clean_sentence("\u3000\xFF") == "\u3000\xFF");  // no text: who reads on says so
  CHECK(clean_sentence("\xEF\xBB\xBF \xEF\xBB\xBF\u00A0A cat.\n") == "A cat.");
}

TEST_CASE("corpus: what was read can be written, whatever control characters stood inside") {
  const TestFolder folder;
  const std::string source = folder.write("a.en", "One\ttwo\rthree\n"),
                    target = folder.write("a.fr", "Un\fdeux\n");
  const Pairs pairs = read_aligned(source, target);
  CHECK(pairs == Pairs{{"One two three", "Un deux"}});
  write_tsv(folder / "b.tsv", pairs);
  CHECK(read_tsv(folder / "b.tsv") == pairs);
}

TEST_CASE("corpus: each thing that is wrong in a TSV file is named with its line") {
  const TestFolder folder;
  const auto failure = [&](const std::string& bytes) { return tsv_failure(folder.write("bad.tsv", bytes)); };
  const std::string path = folder / "bad.tsv";
  CHECK(failure("Go.\tVa !\n\nHi. Salut !\n") ==
        path + ":3: no tab between source and target: a line must look like \"Hello.<tab>Bonjour.\"");
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
  CHECK_THAT(tsv_failure(folder / ""),
             Contains(folder / "" + ": cannot be read: "));  // in the system's words
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

TEST_CASE("corpus: a file can be gone through pair by pair as often as one likes") {
  const TestFolder folder;
  const std::string tsv = folder.write("a.tsv", "\uFEFFGo.\tVa !\n\nHi.\tSalut !\n"),
                    source = folder.write("a.en", "Go.\nHi.\n"),
                    target = folder.write("a.fr", "Va !\nSalut !\n");
  for (const auto& pairs : {open_tsv(tsv).release(), open_aligned(source, target).release()}) {
    const std::unique_ptr<PairStream> stream(pairs);
    for (int time = 0; time < 3; ++time) {
      SentencePair pair;
      REQUIRE(stream->next(pair));
      CHECK(pair == SentencePair{"Go.", "Va !"});
      if (time == 1) {  // begins again in the middle too
        stream->rewind();
        continue;
      }
      REQUIRE(stream->next(pair));
      CHECK(pair == SentencePair{"Hi.", "Salut !"});
      CHECK_FALSE(stream->next(pair));
      stream->rewind();
    }
  }
}

TEST_CASE("corpus: a file that grows or shrinks between two readings is refused") {
  const TestFolder folder;
  for (const std::string later : {"a\tb\n", "a\tb\na\tb\na\tb\n"}) {
    const std::unique_ptr<PairStream> stream = open_tsv(folder.write("a.tsv", "a\tb\na\tb\n"));
    SentencePair pair;
    while (stream->next(pair)) {
    }
    folder.write("a.tsv", later);
    stream->rewind();
    CHECK(message_of<FileError>([&] {
            while (stream->next(pair)) {
            }
          }) == folder / "a.tsv" + ": the file changed while it was used: it had 2 pairs");
  }
}

TEST_CASE("corpus: lines are counted anew when a file is gone through again") {
  const TestFolder folder;
  const std::unique_ptr<PairStream> stream = open_tsv(folder.write("a.tsv", "a\tb\na\tb\n"));
  SentencePair pair;
  while (stream->next(pair)) {
  }
  folder.write("a.tsv", "a\tb\na\t \n");
  stream->rewind();
  REQUIRE(stream->next(pair));
  CHECK(message_of<FileError>([&] { stream->next(pair); }).find("a.tsv:2: the target sentence is empty") !=
        std::string::npos);
}

TEST_CASE("corpus: words are what stands between spaces") {
  CHECK(count_words("") == 0);
  CHECK(count_words(" one two  three\tfour ") == 4);
}
