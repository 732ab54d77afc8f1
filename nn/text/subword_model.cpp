// The wire format of protocol buffers, as far as it takes to see what fields there are: each is a number that
// says which field it is and how long, and what it holds (https://protobuf.dev/programming-guides/encoding).
#include <gradual/nn/text/subword_model.hpp>

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

struct Field {
  std::uint64_t number;
  std::string_view bytes;   // of a text, a list of bytes or a message
  std::uint64_t value = 0;  // of a whole number
  std::string_view whole;   // as it stands in the message
};

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument("subwords: not a model: " + problem);
}

// The fields of a message one by one.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const std::string_view from_here = rest_;
    const std::uint64_t tag = number();
    field = {tag >> 3, {}, 0, {}};
    switch (tag & 7) {
      case 0:
        field.value = number();
        break;
      case 1:
        taken(8);
        break;
      case 2:
        field.bytes = taken(number());
        break;
      case 5:
        taken(4);
        break;
      default:
        refuse("a field is of no kind that there is");
    }
    field.whole = from_here.substr(0, from_here.size() - rest_.size());
    return true;
  }

 private:
  std::string_view taken(std::uint64_t count) {
    if (count > rest_.size()) refuse("it ends inside a field");
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }

  // Seven bits in each byte, the lowest first; the last byte is below 128.
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(taken(1).front());
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    refuse("a number is too long");
  }

  std::string_view rest_;
};

// A map of characters: four bytes with the length of a trie, the trie as a double array (Aoe 1989, in
// darts-clone's layout), and behind it the texts that the leaves name by where they begin, each with a zero.
// SentencePiece walks it without looking where the array ends. From a unit at place p a byte c leads to
// p ^ offset ^ c, and to the leaf at p ^ offset: all of these must lie inside, for every unit that is not a
// leaf, which a whole array does, and every leaf must name a text.
void check_map_of_characters(std::string_view map) {
  if (map.empty()) return;
  const auto number_at = [&](std::size_t byte) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
      number |= static_cast<std::uint32_t>(static_cast<unsigned char>(map[byte + i])) << (8 * i);
    return number;
  };
  if (map.size() < 8) refuse("its map of characters is cut short");
  const std::size_t length = number_at(0), units = length / 4;
  if (units == 0 || length % 4 != 0 || length > map.size() - 4) refuse("its map of characters is cut short");
  const std::string_view texts = map.substr(4 + length);
  if (texts.empty() || texts.back() != '\0') refuse("the texts of its map of characters do not end");
  constexpr std::uint32_t leaf = std::uint32_t(1) << 31;
  const auto unit = [&](std::size_t place) { return number_at(4 + 4 * place); };
  for (std::size_t place = 0; place < units; ++place) {
    const std::uint32_t here = unit(place);
    if (place > 0 && (here & leaf) != 0) continue;  // the walk begins at 0, whatever that is
    const std::size_t next = place ^ (static_cast<std::size_t>(here >> 10) << ((here & (1u << 9)) >> 6));
    if ((next | 255) >= units) refuse("its map of characters leads out of itself");
    if ((here & (1u << 8)) != 0 && (unit(next) & ~leaf) >= texts.size())
      refuse("its map of characters names a text that it does not have");
  }
}

// A normalizer has a name, a map of characters, three switches, and the rules that the map was made of, which
// nobody reads again.
void check_normalizer(std::string_view message) {
  constexpr std::uint64_t name = 1, map = 2, first_switch = 3, last_switch = 5, rules = 6;
  Fields fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == map) check_map_of_characters(field.bytes);
    const bool known = field.number == name || field.number == map || field.number == rules ||
                       (field.number >= first_switch && field.number <= last_switch);
    if (!known) refuse(text("its normalizer has a field ", field.number, ", which none has"));
  }
}

}  // namespace

void check_subword_model(const std::string& model) {
  constexpr std::uint64_t pieces = 1, trainer = 2, normalizer = 3, denormalizer = 5;
  Fields fields(model);
  for (Field field; fields.next(field);) {
    if (field.number == normalizer || field.number == denormalizer)
      check_normalizer(field.bytes);
    else if (field.number != pieces && field.number != trainer)
      refuse(text("it has a field ", field.number, ", which no model that splits has"));
  }
}

std::string with_byte_pieces(const std::string& model, const std::vector<bool>& are_bytes) {
  constexpr std::uint64_t pieces = 1;
  const std::string type_byte = "\x18\x06";  // field 3, a number: 6. Of several, the last one counts
  std::string result;
  std::size_t place = 0;
  Fields fields(model);
  for (Field field; fields.next(field);) {
    if (field.number != pieces || !are_bytes.at(place++)) {
      result += field.whole;
      continue;
    }
    result += '\x0A';  // field 1, a message, whose length comes next
    std::size_t length = field.bytes.size() + type_byte.size();
    for (; length >= 128; length >>= 7) result += static_cast<char>(length | 128);
    result += static_cast<char>(length);
    result.append(field.bytes).append(type_byte);
  }
  return result;
}

SubwordKind kind_of_subword_model(const std::string& model) {
  constexpr std::uint64_t trainer = 2, model_type = 3, byte_fallback = 35, unigram = 1, bpe = 2;
  std::uint64_t type = unigram;  // what a model is that does not say
  Fields fields(model);
  for (Field field; fields.next(field);) {
    if (field.number != trainer) continue;
    Fields settings(field.bytes);
    for (Field setting; settings.next(setting);)
      if (setting.number == model_type)
        type = setting.value;
      else if (setting.number == byte_fallback && setting.value != 0)
        throw std::invalid_argument(
            "subwords: to be sampled, they must not fall back to bytes: the model has a piece for each byte");
  }
  if (type != unigram && type != bpe)
    throw std::invalid_argument(
        text("subwords: to be sampled, they must be byte pairs or unigrams: the model is of type ", type));
  return type == bpe ? SubwordKind::bpe : SubwordKind::unigram;
}

}  // namespace gradual
