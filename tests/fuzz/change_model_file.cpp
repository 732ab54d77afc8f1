// A model file with something else in one place: taken apart into its parts (the format is told in
// core/files/safetensors.hpp), and put together so that lengths and places are right again.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "change_json.hpp"

namespace gradual::fuzz {
namespace {

struct Part {
  std::string name;
  Json entry;  // without its place
  std::string numbers;
};

struct ModelFile {
  Json metadata;
  std::vector<Part> parts;
};

constexpr std::size_t length_bytes = 8;

// Of a file that is one; throws for any other.
ModelFile taken_apart(const std::string& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < length_bytes) throw std::runtime_error("too short");
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > bytes.size() - length_bytes) throw std::runtime_error("cut off");
  const Json header = Json::parse(bytes.substr(length_bytes, length));
  const std::string data = bytes.substr(length_bytes + length);
  ModelFile file;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      file.metadata = entry;
      continue;
    }
    const std::vector<std::uint64_t> place = entry.at("data_offsets");
    if (place.size() != 2 || place[0] > place[1] || place[1] > data.size())
      throw std::runtime_error("no place");
    file.parts.push_back({name, entry, data.substr(place[0], place[1] - place[0])});
  }
  return file;
}

std::string with_header(const Json& header, const std::string& data) {
  const std::string text = text_of(header);
  const std::uint64_t length = text.size();
  std::string bytes(length_bytes, '\0');
  std::memcpy(bytes.data(), &length, length_bytes);
  return bytes + text + data;
}

std::pair<Json, std::string> put_together(const ModelFile& file) {
  Json header = {{"__metadata__", file.metadata}};
  std::string data;
  for (const Part& part : file.parts) {
    header[part.name] = part.entry;
    header[part.name]["data_offsets"] = {data.size(), data.size() + part.numbers.size()};
    data += part.numbers;
  }
  return {header, data};
}

// As many bytes as the shape has room for, if these are few enough.
void fit_numbers(Part& part) {
  const auto type = part.entry.at("dtype").get<std::string>();
  std::uint64_t bytes = type == "F64" || type == "I64" ? 8 : type == "F16" || type == "BF16" ? 2 : 4;
  for (const Json& size : part.entry.at("shape")) {
    if (!size.is_number_unsigned()) return;
    bytes *= size.get<std::uint64_t>();
    if (bytes > 1 << 16) return;
  }
  part.numbers.resize(bytes);
}

void change_number(std::string& numbers, Random& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float strange[] = {0,
                               -0.0F,
                               1,
                               -1,
                               1e4F,
                               -1e10F,
                               Limits::max(),
                               Limits::lowest(),
                               Limits::denorm_min(),
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::quiet_NaN()};
  if (numbers.size() < sizeof(float)) return;
  const auto count = static_cast<Index>(numbers.size() / sizeof(float));
  const float number = strange[random.below(12)];
  const bool all = random.below(16) == 0;
  for (Index i = all ? 0 : random.below(count), end = all ? count : i + 1; i < end; ++i)
    std::memcpy(&numbers[static_cast<std::size_t>(i) * sizeof(float)], &number, sizeof(float));
}

void change_tensors(std::vector<Part>& parts, Random& random, const ChangeBytes& change_bytes) {
  if (parts.empty()) return;
  Part& part = one_of_all(parts, random);
  Json& shape = part.entry.at("shape");
  switch (random.below(8)) {
    case 0:
      parts.erase(parts.begin() + (&part - parts.data()));
      return;
    case 1:
      part.name = random.below(2) ? one_of_all(parts, random).name : change_bytes(part.name);
      return;
    case 2: {
      constexpr const char* types[] = {"F32", "F64", "I32", "I64", "F16", "BF16", "F8"};
      part.entry["dtype"] = types[random.below(7)];
      fit_numbers(part);
      return;
    }
    case 3:
      std::reverse(shape.begin(), shape.end());
      return;
    case 4:
    case 5:
      change_json(shape, random.split(), change_bytes);
      fit_numbers(part);
      return;
    default:
      change_number(part.numbers, random);
  }
}

// A subword model, a message of fields (nn/text/subword_model.cpp), with a byte or a field changed.
std::string change_subwords(const std::string& model, Random& random, const ChangeBytes& change_bytes) {
  if (random.below(3) == 0) return change_bytes(model);
  std::vector<std::string>
      fields;  // with their number and length, which are of one byte each where a field is short
  std::size_t at = 0;
  while (at + 2 <= model.size()) {
    const auto length = static_cast<unsigned char>(model[at + 1]);
    if ((model[at] & 7) != 2 || length > 127 || at + 2 + length > model.size()) break;
    fields.push_back(model.substr(at, 2 + length));
    at += 2 + std::size_t(length);
  }
  const std::string rest = model.substr(at);
  if (!fields.empty()) {
    std::string& field = one_of_all(fields, random);
    switch (random.below(4)) {
      case 0:
        field.clear();
        break;
      case 1:
        field += field;
        break;
      case 2:
        std::swap(field, one_of_all(fields, random));
        break;
      default: {
        const std::string content = change_bytes(field.substr(2)).substr(0, 127);
        field = field.substr(0, 1) + static_cast<char>(content.size()) + content;
      }
    }
  }
  std::string changed;
  for (const std::string& field : fields) changed += field;
  return changed + rest;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes)
    for (const int digit : {byte / 16, byte % 16}) hex += "0123456789abcdef"[digit];
  return hex;
}

void change_description(Json& metadata, Random& random, const ChangeBytes& change_bytes) {
  Json description = Json::parse(metadata.at("description").get<std::string>());
  Json& language = description.at(random.below(2) ? "source" : "target");
  if (random.below(3) == 0 && language.contains("subword_model")) {
    Json& model = language["subword_model"];
    model = to_hex(change_subwords(from_hex(model), random, change_bytes));
  } else if (random.below(2)) {
    change_json(description.at("model"), random.split(), change_bytes);
  } else {
    change_json(description, random.split(), change_bytes);
  }
  metadata["description"] = text_of(description);
}

}  // namespace

std::string change_model_file(const std::string& bytes, Random random, const ChangeBytes& change_bytes) try {
  ModelFile file = taken_apart(bytes);
  for (Index changes = 1 + random.below(3); changes > 0; --changes) {
    const Index choice = random.below(8);
    if (choice < 4)
      change_description(file.metadata, random, change_bytes);
    else if (choice < 6)
      change_tensors(file.parts, random, change_bytes);
    else if (choice < 7)
      file.metadata["notes"] = change_settings(file.metadata.at("notes"), random.split(), change_bytes);
    else
      change_json(file.metadata, random.split(), change_bytes);
  }
  auto [header, data] = put_together(file);
  if (random.below(16) == 0) change_json(header, random.split(), change_bytes);
  return with_header(header, data);
} catch (const std::exception&) {  // no model file, or none any more
  return change_bytes(bytes);
}

}  // namespace gradual::fuzz
