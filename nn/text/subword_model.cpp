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
  std::string_view bytes;  // of a text, a list of bytes or a message
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
    const std::uint64_t tag = number();
    field = {tag >> 3, {}};
    switch (tag & 7) {
      case 0:
        number();
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

// A normalizer that changes nothing has a name and three switches.
void check_normalizer(std::string_view message) {
  constexpr std::uint64_t name = 1, first_switch = 3, last_switch = 5;
  Fields fields(message);
  for (Field field; fields.next(field);) {
    const bool known = field.number == name || (field.number >= first_switch && field.number <= last_switch);
    if (!known && !field.bytes.empty()) refuse("it changes characters, which no model of Gradual's does");
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
      refuse(text("it has a field ", field.number, ", which no model of Gradual's has"));
  }
}

}  // namespace gradual
