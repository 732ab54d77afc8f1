// The wire format of protocol buffers, as far as it takes to see what fields there are: each is a number that
// says which field it is and how long, and what it holds (https://protobuf.dev/programming-guides/encoding).
#include <gradual/nn/text/subword_model.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

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
    if (tag > UINT32_MAX) refuse("a field has a number that none has");  // others read its lower bits alone
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

// No text that a model names needs to be longer.
constexpr std::size_t longest_text = 1024;

// A number of four bytes, the lowest first.
std::uint32_t number_at(std::string_view bytes, std::size_t first) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[first + i])) << (8 * i);
  return number;
}

// A trie as a double array (Aoe 1989, in darts-clone's layout). What lies behind a unit has a base: a byte c
// leads to the unit at base ^ c, if that one is labelled c, and the leaf is at the base itself.
class Trie {
 public:
  explicit Trie(std::string_view bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size() / 4; }
  bool is_leaf(std::size_t place) const { return (unit(place) & leaf) != 0; }
  bool has_leaf(std::size_t place) const { return (unit(place) & (1u << 8)) != 0; }
  bool is_labelled(std::size_t place, std::size_t byte) const { return (unit(place) & (leaf | 255)) == byte; }
  std::size_t base(std::size_t place) const {
    const std::uint32_t here = unit(place);
    return place ^ (static_cast<std::size_t>(here >> 10) << ((here & (1u << 9)) >> 6));
  }
  std::size_t value(std::size_t place) const { return unit(place) & ~leaf; }

 private:
  static constexpr std::uint32_t leaf = std::uint32_t(1) << 31;
  std::uint32_t unit(std::size_t place) const { return number_at(bytes_, 4 * place); }

  std::string_view bytes_;
};

// SentencePiece goes from the root as far as a text leads. The leaves on the way go into an array of 32, of
// which it then reads as many as it met. Ways may end in common: what lies behind a base is looked at once. A
// way that comes back to itself is longer than any.
void check_ways(const Trie& trie) {
  constexpr int most_leaves = 32, longest_way = 1024;
  struct Behind {
    int bytes = -1, leaves = 0;  // the most on a way; -1: not known yet
  };
  struct Step {
    std::size_t base, byte;  // the byte that is tried next
    Behind most;
  };
  std::vector<Behind> known(trie.size());
  std::vector<Step> way{{trie.base(0), 0, {0, 0}}};
  while (!way.empty()) {
    Step& here = way.back();
    if (here.byte > 255) {
      known[here.base] = here.most;
      way.pop_back();
      continue;
    }
    const std::size_t place = here.base ^ here.byte;
    if (!trie.is_labelled(place, here.byte)) {
      ++here.byte;
      continue;
    }
    const std::size_t base = trie.base(place);
    const Behind behind = known[base];
    if (static_cast<int>(way.size()) + std::max(behind.bytes, 0) > longest_way)
      refuse(
          text("its map of characters must have no way of more than ", longest_way, " bytes: one has more"));
    if (behind.bytes < 0) {
      way.push_back({base, 0, {0, 0}});  // and then this byte again
      continue;
    }
    here.most.bytes = std::max(here.most.bytes, behind.bytes + 1);
    here.most.leaves = std::max(here.most.leaves, behind.leaves + (trie.has_leaf(place) ? 1 : 0));
    if (here.most.leaves > most_leaves)
      refuse(text("its map of characters must name at most ", most_leaves, " texts on a way: one has more"));
    ++here.byte;
  }
}

// A map of characters: four bytes with the length of a trie, the trie, and behind it the texts that the
// leaves name by where they begin, each with a zero. SentencePiece walks it without looking where the array
// ends: all places that a unit leads to must lie inside, for every unit that is not a leaf, which a whole
// array does, and every leaf must name a text.
void check_map_of_characters(std::string_view map) {
  if (map.empty()) return;
  if (map.size() < 8) refuse("its map of characters is cut short");
  const std::size_t length = number_at(map, 0);
  if (length == 0 || length % 4 != 0 || length > map.size() - 4) refuse("its map of characters is cut short");
  const Trie trie(map.substr(4, length));
  const std::string_view texts = map.substr(4 + length);
  if (texts.empty() || texts.back() != '\0') refuse("the texts of its map of characters do not end");
  for (std::size_t place = 0; place < trie.size(); ++place) {
    if (place > 0 && trie.is_leaf(place)) continue;  // the walk begins at 0, whatever that is
    const std::size_t base = trie.base(place);
    if ((base | 255) >= trie.size()) refuse("its map of characters leads out of itself");
    if (!trie.has_leaf(place)) continue;
    if (trie.value(base) >= texts.size()) refuse("its map of characters names a text that it does not have");
    // Each character of a sentence may become it.
    if (texts.substr(trie.value(base), longest_text + 1).find('\0') == std::string_view::npos)
      refuse(text("its map of characters must name texts of at most ", longest_text, " bytes: one has more"));
  }
  check_ways(trie);
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

// What a piece spells, as far as its first zero, if it is one that a user defined; nothing of other pieces.
// None may be long: SentencePiece builds a trie of them by a call within a call for each byte.
std::string_view defined_by_user(std::string_view message) {
  constexpr std::uint64_t piece = 1, type = 3, user_defined = 4;
  std::string_view spelled;
  bool is_defined = false;
  Fields fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == piece && !field.bytes.empty()) spelled = field.bytes;  // of several, the last counts
    if (field.number == type && static_cast<std::uint32_t>(field.value) == user_defined) is_defined = true;
  }
  if (spelled.size() > longest_text)
    refuse(text("a piece must have at most ", longest_text, " bytes: one has ", spelled.size()));
  return is_defined ? spelled.substr(0, spelled.find('\0')) : std::string_view();
}

// Those that a text begins with go into an array of 64, of which SentencePiece then reads as many as it met.
void check_defined_pieces(const std::set<std::string_view>& pieces) {
  constexpr std::size_t most = 64;
  std::vector<std::string_view> nested;  // each begins with those before it
  for (const std::string_view piece : pieces) {
    while (!nested.empty() && piece.substr(0, nested.back().size()) != nested.back()) nested.pop_back();
    nested.push_back(piece);
    if (nested.size() > most)
      refuse(text("at most ", most, " pieces that a user defined may begin with one another: \"", piece,
                  "\" is one more"));
  }
}

}  // namespace

void check_subword_model(const std::string& model) {
  constexpr std::uint64_t pieces = 1, trainer = 2, normalizer = 3, denormalizer = 5;
  std::set<std::string_view> defined;
  Fields fields(model);
  for (Field field; fields.next(field);) {
    if (field.number == pieces) {
      const std::string_view piece = defined_by_user(field.bytes);
      if (!piece.empty()) defined.insert(piece);
    } else if (field.number == normalizer || field.number == denormalizer) {
      check_normalizer(field.bytes);
    } else if (field.number != trainer) {
      refuse(text("it has a field ", field.number, ", which no model that splits has"));
    }
  }
  check_defined_pieces(defined);
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
