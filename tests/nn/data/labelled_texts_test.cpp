// Labelled texts from files, and splitting them.
#include <gradual/nn/data/labelled_texts.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

std::vector<LabelledText> read(const std::string& lines) {
  const TestFolder folder;
  return read_labelled_texts(folder.write("texts.label", lines));
}

std::string problem(const std::string& lines) {
  const std::string message = message_of<FileError>([&] { read(lines); });
  return message.substr(message.find("texts.label"));
}

}  // namespace

TEST_CASE("labelled texts: a line is a label, perhaps with a finer one, and words") {
  const auto texts = read("LOC:city What  city ?\r\n\nNUM How many ?\n");
  REQUIRE(texts.size() == 2);
  CHECK(texts[0].label == "LOC");
  CHECK(texts[0].kind == "LOC:city");
  CHECK(texts[0].words == std::vector<std::string>{"What", "city", "?"});
  CHECK(texts[0].line == 1);
  CHECK(texts[1].label == "NUM");
  CHECK(texts[1].kind == "NUM");
  CHECK(texts[1].line == 3);
  CHECK(labels_of(texts) == std::vector<std::string>{"LOC", "NUM"});
  CHECK(kinds_of(texts) == std::vector<std::string>{"LOC:city", "NUM"});
}

TEST_CASE("labelled texts: a line that is not UTF-8 is read as Latin-1, others stay what they are") {
  const auto texts = read(
      "A sister\xf0"
      "city\nB na\xc3\xafve\n");
  CHECK(texts[0].words[0] ==
        "sister\xc3\xb0"
        "city");  // U+00F0
  CHECK(texts[1].words[0] == "na\xc3\xafve");
}

TEST_CASE("labelled texts: a line without a label or words is an error at its line") {
  CHECK(problem("A word\nB\n") == "texts.label:2: a line must be a label and words: got \"B\"");
  CHECK(problem(":x word\n") == "texts.label:1: a line must be a label and words: got \":x word\"");
  CHECK(problem("\n\n") == "texts.label: there must be at least one line `LABEL words`");
  CHECK_THROWS_AS(read_labelled_texts("no/such/file"), FileError);
}

TEST_CASE("split into parts: shares are equal, and texts that differ only in case stay together") {
  std::vector<LabelledText> texts;
  for (int i = 0; i < 300; ++i) {
    texts.push_back({"A", "A", {"Text", std::to_string(i)}, 1});
    if (i % 3 == 0) texts.push_back({"A", "A", {"text", std::to_string(i)}, 1});
  }
  const std::vector<Index> parts = split_into_parts(texts, 5, 1);
  REQUIRE(parts.size() == texts.size());
  std::vector<Index> distinct(5, 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0 && texts[i].words[1] == texts[i - 1].words[1])
      CHECK(parts[i] == parts[i - 1]);
    else
      ++distinct[static_cast<std::size_t>(parts[i])];
  }
  CHECK(distinct == std::vector<Index>(5, 60));
  CHECK(split_into_parts(texts, 5, 1) == parts);
  CHECK(split_into_parts(texts, 5, 2) != parts);
  CHECK_THROWS_WITH(split_into_parts(texts, 1, 1), "split: there must be at least two parts: got 1");
}
