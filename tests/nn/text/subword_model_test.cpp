// The fields of a subword model, written by hand as protocol buffers have them.
#include <gradual/nn/text/subword_model.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

/// As many bytes as a 32-bit number has, the lowest first.
std::string four_bytes(std::uint32_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> 8 * i & 255);
  return bytes;
}

/// A field of a message: its number, and its bytes, which are fewer than 2²¹.
std::string field_of_bytes(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>((bytes.size() & 127) | 128),
                     static_cast<char>((bytes.size() >> 7 & 127) | 128),
                     static_cast<char>(bytes.size() >> 14)} +
         bytes;
}

constexpr std::uint32_t leaf = std::uint32_t(1) << 31, has_leaf = 1 << 8;

/// A model with a map of characters of these units and texts.
std::string model_of_map(const std::vector<std::uint32_t>& units, const std::string& texts) {
  std::string trie;
  for (const std::uint32_t unit : units) trie += four_bytes(unit);
  return field_of_bytes(
      3, field_of_bytes(2, four_bytes(static_cast<std::uint32_t>(trie.size())) + trie + texts));
}

/// The unit that leads from one base to another.
void lead(std::vector<std::uint32_t>& units, std::uint32_t from, char letter, std::uint32_t to,
          std::uint32_t leaf_or_none = 0) {
  const auto byte = static_cast<std::uint32_t>(letter);
  units[from ^ byte] = (from ^ byte ^ to) << 10 | leaf_or_none | byte;
}

/// Units whose only way is so many letters a long, with a leaf behind each of them or behind none.
std::vector<std::uint32_t> way_of_letters(std::uint32_t letters, std::uint32_t leaf_or_none) {
  std::vector<std::uint32_t> units(((2 * letters + 2) | 255) + 1, leaf);
  units[0] = 2 << 10;  // the bases are 2, 4, 6, …
  for (std::uint32_t i = 1; i <= letters; ++i) lead(units, 2 * i, 'a', 2 * i + 2, leaf_or_none);
  return units;
}

const std::string no_text(1, '\0');

/// A piece of a model, of type 4 if a user defined it.
std::string piece_of(const std::string& spelled, char type = 4) {
  return field_of_bytes(1, field_of_bytes(1, spelled) + '\x18' + type);
}

std::string problem_of(const std::string& model) {
  return message_of<std::invalid_argument>([&] { check_subword_model(model); });
}

}  // namespace

TEST_CASE("subword model: a leaf of the map of characters names a text that begins inside of the texts") {
  const auto model_whose_leaf_names = [](std::uint32_t place) {
    std::vector<std::uint32_t> units(256, leaf);
    units[0] = 1 << 10 | has_leaf;  // from 0 to the leaf at 1
    units[1] = leaf | place;
    return model_of_map(units, std::string("a\0", 2));
  };
  CHECK_NOTHROW(check_subword_model(model_whose_leaf_names(0)));
  CHECK_NOTHROW(check_subword_model(model_whose_leaf_names(1)));  // an empty one
  for (const std::uint32_t outside : {2, 3, 1000})
    CHECK_THROWS_WITH(check_subword_model(model_whose_leaf_names(outside)),
                      "subwords: not a model: its map of characters names a text that it does not have");
}

TEST_CASE("subword model: a way through the map of characters names at most 32 texts") {
  CHECK(problem_of(model_of_map(way_of_letters(32, has_leaf), no_text)) == "no error");
  CHECK(problem_of(model_of_map(way_of_letters(33, has_leaf), no_text)) ==
        "subwords: not a model: its map of characters must name at most 32 texts on a way: one has more");
  CHECK(problem_of(model_of_map(way_of_letters(33, 0), no_text)) == "no error");
}

TEST_CASE("subword model: no way through the map of characters is long or comes back to where it was") {
  const std::string too_long =
      "subwords: not a model: its map of characters must have no way of more than 1024 bytes: one has more";
  CHECK(problem_of(model_of_map(way_of_letters(1024, 0), no_text)) == "no error");
  CHECK(problem_of(model_of_map(way_of_letters(1025, 0), no_text)) == too_long);
  for (const std::uint32_t leaf_or_none : {has_leaf, std::uint32_t(0)}) {
    std::vector<std::uint32_t> circle(256, leaf);
    circle[0] = 1 << 10;
    lead(circle, 1, 'a', 1, leaf_or_none);
    CHECK(problem_of(model_of_map(circle, no_text)) == too_long);
  }
  // A second way that is longer by one, and ends where the first has been.
  std::vector<std::uint32_t> units = way_of_letters(1024, 0);
  const auto behind_b = static_cast<std::uint32_t>(units.size());
  units.resize(units.size() + 256, leaf);
  lead(units, 2, 'b', behind_b);
  lead(units, behind_b, 'a', 4);
  CHECK(problem_of(model_of_map(units, no_text)) == too_long);
}

TEST_CASE("subword model: a text that the map of characters names has at most 1 KiB") {
  std::vector<std::uint32_t> units(256, leaf);
  units[0] = 1 << 10 | has_leaf;
  CHECK(problem_of(model_of_map(units, std::string(1024, 'x') + '\0')) == "no error");
  CHECK(problem_of(model_of_map(units, std::string(1025, 'x') + '\0')) ==
        "subwords: not a model: its map of characters must name texts of at most 1024 bytes: one has more");
  units[1] = leaf | 1;  // the same without its first letter
  CHECK(problem_of(model_of_map(units, std::string(1025, 'x') + '\0')) == "no error");
}

TEST_CASE("subword model: at most 64 pieces that a user defined begin with one another") {
  const auto nested = [](std::size_t count, char type) {
    std::string model;
    for (std::size_t length = 1; length <= count; ++length) model += piece_of(std::string(length, 'a'), type);
    return model;
  };
  CHECK(problem_of(nested(64, 4)) == "no error");
  CHECK(problem_of(nested(65, 4)) ==
        "subwords: not a model: at most 64 pieces that a user defined may begin with one another: \"" +
            std::string(65, 'a') + "\" is one more");
  CHECK(problem_of(nested(65, 1)) == "no error");  // nobody defined them
  std::string beside = nested(64, 4);              // of no text more than 64
  for (const char* other : {"aab", "aac", "b", "ba"}) beside += piece_of(other);
  CHECK(problem_of(beside) == "no error");
  // SentencePiece reads them to their first zero, and the type of one as 32 bits.
  const std::string more = std::string(65, 'a') + std::string("\0b", 2);
  CHECK(problem_of(nested(64, 4) + piece_of(more)) != "no error");
  const std::string four_more = "\x18\x84\x80\x80\x80\x10";  // 2³² + 4
  const std::string last = field_of_bytes(1, std::string(65, 'a')) + four_more;
  CHECK(problem_of(nested(64, 4) + field_of_bytes(1, last)) != "no error");
}

TEST_CASE("subword model: a piece has at most 1 KiB, whoever defined it") {
  for (const char type : {'\1', '\4'}) {
    CHECK(problem_of(piece_of(std::string(1024, 'a'), type)) == "no error");
    CHECK(problem_of(piece_of(std::string(1025, 'a'), type)) ==
          "subwords: not a model: a piece must have at most 1024 bytes: one has 1025");
  }
}

TEST_CASE("subword model: no field has a number of which others read the lower bits alone") {
  const std::string hidden = "\x8A\x80\x80\x80\x10";  // 2³² and field 1 of bytes
  CHECK(problem_of(field_of_bytes(1, hidden + '\1' + 'a')) ==
        "subwords: not a model: a field has a number that none has");
}

TEST_CASE("subword model: fields of kinds that nobody reads are passed over, whatever their bytes") {
  const std::string bpe = "\x12\x02\x18\x02";  // trainer_spec { model_type: BPE }
  const std::string eight = "\x81\x0C" + std::string(8, '\xFF'), four = "\x85\x0C" + std::string(4, '\xFF');
  CHECK(kind_of_subword_model(bpe) == SubwordKind::bpe);
  CHECK(kind_of_subword_model(eight + four + bpe) == SubwordKind::bpe);
  CHECK_THROWS_WITH(kind_of_subword_model(eight.substr(0, 9)),
                    "subwords: not a model: it ends inside a field");
}

TEST_CASE(
    "subword model: pieces are marked as bytes in their places, and all other fields stay as they are") {
  const std::string first = field_of_bytes(1, "\x0A\x01z"), trainer = "\x12\x02\x18\x02";
  const std::string byte = "\x0A\x06<0x45>\x18\x01", name(200, 'b');  // a piece of type 1, which is no byte
  CHECK(with_byte_pieces(first + "\x0A\x0A" + byte + trainer, {false, true}) ==
        first + "\x0A\x0C" + byte + "\x18\x06" + trainer);
  // Lengths above 127 take two bytes, the lowest seven bits first.
  CHECK(with_byte_pieces(field_of_bytes(1, name), {true}) == "\x0A\xCA\x01" + name + "\x18\x06");
}
