// The fields of a subword model, written by hand as protocol buffers have them.
#include <gradual/nn/text/subword_model.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

/// As many bytes as a 32-bit number has, the lowest first.
std::string four_bytes(std::uint32_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> 8 * i & 255);
  return bytes;
}

/// A field of a message: its number, and its bytes of at most 2¹⁴ - 1.
std::string field_of_bytes(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>((bytes.size() & 127) | 128),
                     static_cast<char>(bytes.size() >> 7)} +
         bytes;
}

}  // namespace

TEST_CASE("subword model: a leaf of the map of characters names a text that begins inside of the texts") {
  const auto model_whose_leaf_names = [](std::uint32_t place) {
    constexpr std::uint32_t leaf = std::uint32_t(1) << 31;
    std::string trie = four_bytes(1 << 10 | 1 << 8) + four_bytes(leaf | place);  // from 0 to the leaf at 1
    while (trie.size() < 4 * 256) trie += four_bytes(leaf);
    const std::string texts("a\0", 2);
    return field_of_bytes(3, field_of_bytes(2, four_bytes(4 * 256) + trie + texts));
  };
  CHECK_NOTHROW(check_subword_model(model_whose_leaf_names(0)));
  CHECK_NOTHROW(check_subword_model(model_whose_leaf_names(1)));  // an empty one
  for (const std::uint32_t outside : {2, 3, 1000})
    CHECK_THROWS_WITH(check_subword_model(model_whose_leaf_names(outside)),
                      "subwords: not a model: its map of characters names a text that it does not have");
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
