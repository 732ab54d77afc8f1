#include <gradual/nn/text/vocabulary.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

using Tokens = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;

// b 3 times, a and é twice, Z and c once.
const std::vector<Tokens> split_sentences = {{"b", "\u00E9", "a"}, {}, {"c", "b", "a"}, {"\u00E9", "Z", "b"}};

const std::string header = "# gradual vocabulary 1: ";
const std::string header_end = " tokens in the order of their ids, each with its count\n";
const std::string reserved = "<pad>\t0\n<bos>\t0\n<eos>\t0\n<unk>\t0\n";

std::string load_failure(const std::string& path) {
  return message_of<FileError>([&] { Vocabulary::load(path); });
}

}  // namespace

TEST_CASE("vocabulary: reserved tokens come first, the others by falling frequency and then in byte order") {
  const Vocabulary vocabulary = Vocabulary::build(split_sentences);
  CHECK(vocabulary.tokens() == Tokens{"<pad>", "<bos>", "<eos>", "<unk>", "b", "a", "\u00E9", "Z", "c"});
  CHECK(vocabulary.size() == 9);
  CHECK(vocabulary.token(Vocabulary::eos) == "<eos>");
  CHECK(vocabulary.count(4) == 3);
  CHECK(vocabulary.count(7) == 1);
}

TEST_CASE("vocabulary: rare tokens and those beyond the maximum size are left out") {
  CHECK(Vocabulary::build(split_sentences, 2).tokens() ==
        Tokens{"<pad>", "<bos>", "<eos>", "<unk>", "b", "a", "\u00E9"});
  CHECK(Vocabulary::build(split_sentences, 1, 6).tokens() ==
        Tokens{"<pad>", "<bos>", "<eos>", "<unk>", "b", "a"});
  CHECK(Vocabulary::build(split_sentences, 1, 4).size() == 4);
  CHECK(Vocabulary::build({}).size() == 4);
  CHECK_THROWS_WITH(Vocabulary::build(split_sentences, 1, 3),
                    "Vocabulary::build: max_size must leave room for the 4 reserved tokens: max_size is 3");
  CHECK_THROWS_AS(Vocabulary::build({{"a", ""}}), std::invalid_argument);
}

TEST_CASE("vocabulary: sentences become ids and again sentences") {
  const Vocabulary vocabulary = Vocabulary::build(split_sentences);
  CHECK(vocabulary.encode({"a", "b", "new", "\u00E9"}) == Ids{5, 4, Vocabulary::unknown, 6});
  CHECK(vocabulary.decode({5, 4, Vocabulary::unknown, 6}) == Tokens{"a", "b", "<unk>", "\u00E9"});
  CHECK(vocabulary.contains("\u00E9"));
  CHECK_FALSE(vocabulary.contains("new"));
}

TEST_CASE("vocabulary: decoding ends at the first <eos> and shows neither <bos> nor <pad>") {
  const Vocabulary vocabulary = Vocabulary::build(split_sentences);
  CHECK(vocabulary.decode({1, 4, 0, 5, 2, 6, 6}) == Tokens{"b", "a"});
  CHECK(vocabulary.decode({}).empty());
}

TEST_CASE("vocabulary: a text cannot smuggle in a reserved token") {
  const Vocabulary vocabulary = Vocabulary::build({{"a", "<eos>", "<pad>"}});
  CHECK(vocabulary.tokens() == Tokens{"<pad>", "<bos>", "<eos>", "<unk>", "a"});
  CHECK(vocabulary.encode({"a", "<eos>", "<pad>"}) == Ids{4, Vocabulary::unknown, Vocabulary::unknown});
}

TEST_CASE("vocabulary: an id that no token has is refused") {
  const Vocabulary vocabulary = Vocabulary::build(split_sentences);
  CHECK_THROWS_WITH(vocabulary.token(9), "Vocabulary::token: an id must be in 0 to 8: the id is 9");
  CHECK_THROWS_AS(vocabulary.decode({4, -1}), std::invalid_argument);
  CHECK_THROWS_AS(vocabulary.count(9), std::invalid_argument);
}

TEST_CASE("vocabulary: the plain list of tokens is enough to rebuild it") {
  const Vocabulary vocabulary = Vocabulary::build(split_sentences);
  const Vocabulary copy(vocabulary.tokens());
  CHECK(copy.tokens() == vocabulary.tokens());
  CHECK(copy.encode({"b", "Z"}) == vocabulary.encode({"b", "Z"}));
  CHECK(copy.count(4) == 0);

  const auto failure = [](const Tokens& tokens) {
    return message_of<std::invalid_argument>([&] { Vocabulary{tokens}; });
  };
  CHECK(failure({"<pad>", "<bos>", "<unk>"}) == "Vocabulary: token 2 must be <eos>: it is \"<unk>\"");
  CHECK(failure({"<pad>", "<bos>", "<eos>"}) ==
        "Vocabulary: the reserved tokens must come first: <unk> is missing");
  CHECK(failure({"<pad>", "<bos>", "<eos>", "<unk>", "a", "a"}) ==
        "Vocabulary: token 5 must not stand twice: \"a\" is token 4 already");
  CHECK(failure({"<pad>", "<bos>", "<eos>", "<unk>", ""}) == "Vocabulary: token 4 must not be empty");
}

TEST_CASE("vocabulary: the file is one that people can read") {
  const TestFolder folder;
  Vocabulary::build(split_sentences).save(folder / "words.txt");
  CHECK(content(folder / "words.txt") ==
        header + "9" + header_end + reserved + "b\t3\na\t2\n\u00E9\t2\nZ\t1\nc\t1\n");
}

TEST_CASE(
    "vocabulary: what was saved is loaded, with tokens of spaces, tabs, line ends, backslashes and signs") {
  const TestFolder folder;
  const Vocabulary vocabulary = Vocabulary::build(
      {{" ", "\t", "\n", "\r", "\\", "\\s", "a b", "#", "\u2581le", "\U0001F642", "12", "\t3"}});
  vocabulary.save(folder / "signs.txt");
  const Vocabulary loaded = Vocabulary::load(folder / "signs.txt");
  CHECK(loaded.tokens() == vocabulary.tokens());
  CHECK(loaded.count(5) == 1);
}

TEST_CASE("vocabulary: Windows line ends are tolerated") {
  const TestFolder folder;
  const std::string bytes = header + "5" + header_end + reserved + "a\t7\n";
  std::string windows;
  for (const char c : bytes) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(Vocabulary::load(folder.write("v.txt", windows)).count(4) == 7);
}

TEST_CASE("vocabulary: each thing that is wrong in a file is named with its line") {
  const TestFolder folder;
  const std::string path = folder / "bad.txt";
  const auto failure = [&](const std::string& bytes) { return load_failure(folder.write("bad.txt", bytes)); };
  const auto five = [&](const std::string& rest) { return failure(header + "5" + header_end + rest); };

  const std::string no_header =
      path +
      ": not a vocabulary: the first line must be `# gradual vocabulary 1: N tokens "
      "in the order of their ids, each with its count`";
  CHECK(failure("") == no_header);
  CHECK(failure("a b c\n") == no_header);
  CHECK(failure(header + "many" + header_end) == no_header);

  CHECK(five(reserved + "a 1\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "a\t1x\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "a\t-1\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "a\\\t1\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "a\\x\t1\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "\n") == path + ":6: the line must be `token TAB count`");
  CHECK(five(reserved + "\t1\n") == path + ":6: token 4 must not be empty");
  CHECK(five(reserved + "caf\xE9\t1\n") == path + ":6: byte 3 of the line is not valid UTF-8");
  CHECK(five(reserved + "<eos>\t1\n") ==
        path + ":6: token 4 must not stand twice: \"<eos>\" is token 2 already");
  CHECK(five("<pad>\t0\n<eos>\t0\n") == path + ":3: token 1 must be <bos>: it is \"<eos>\"");
  CHECK(five(reserved) ==
        path +
            ": the first line must tell the number of tokens: it says 5, there are 4; was the "
            "file cut short?");
  CHECK(five(reserved + "a\t12") == path + ":6: the file was cut short: it ends inside this line");
  CHECK(failure(header + "1" + header_end + "<pad>\t0\n") ==
        path + ": the reserved tokens must come first: <bos> is missing");
  CHECK(failure(std::string(longest_line + 1, '#')) == path + ":1: a line must have at most 16777216 bytes");
}

TEST_CASE("vocabulary: a file cut short anywhere is refused") {
  const TestFolder folder;
  const std::string bytes = header + "6" + header_end + reserved + "a\t1234\n\u00E9\t56\n";
  CHECK(Vocabulary::load(folder.write("v.txt", bytes)).size() == 6);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK_THROWS_AS(Vocabulary::load(folder.write("v.txt", bytes.substr(0, length))), FileError);
  }
}

TEST_CASE("vocabulary: a file that is not there or cannot be written is an error") {
  const TestFolder folder;
  CHECK(load_failure(folder / "none") == folder / "none" + ": cannot be read: No such file or directory");
  CHECK_THAT(load_failure(folder / ""),
             Contains(folder / "" + ": cannot be read: "));  // in the system's words
  CHECK_THROWS_AS(Vocabulary::build({}).save(folder / "none/v.txt"), FileError);
}
