#include <gradual/core/files/safetensors.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>

namespace gradual {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are read and written as they lie in memory");

constexpr const char* metadata_key = "__metadata__";
constexpr const char* real_type = sizeof(Real) == 4 ? "F32" : "F64";

template <class Values>
std::string_view bytes_of(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(*values.data())};
}

class HeaderWriter {
 public:
  template <class Values>
  void add(const std::string& name, const char* type, const Values& values) {
    if (name == metadata_key || header_.contains(name))
      throw std::invalid_argument(text("save_tensors: each name must occur once and not be \"", metadata_key,
                                       "\": got \"", name, "\""));
    const std::size_t end = end_ + bytes_of(values).size();
    header_[name] = {{"dtype", type},
                     {"shape", std::vector<Index>(values.shape().begin(), values.shape().end())},
                     {"data_offsets", {end_, end}}};
    end_ = end;
  }

  // The length and the header, which spaces extend so that the numbers start at a multiple of eight bytes.
  std::string bytes(const std::map<std::string, std::string>& metadata) const {
    nlohmann::ordered_json whole;
    if (!metadata.empty()) whole[metadata_key] = metadata;
    whole.update(header_);
    std::string header;
    try {
      header = whole.dump();
    } catch (const nlohmann::json::type_error&) {
      throw std::invalid_argument("save_tensors: names and metadata must be UTF-8");
    }
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length(sizeof(std::uint64_t), '\0');
    const std::uint64_t size = header.size();
    std::memcpy(length.data(), &size, sizeof size);
    return length + header;
  }

 private:
  nlohmann::ordered_json header_ = nlohmann::ordered_json::object();
  std::size_t end_ = 0;
};

}  // namespace

const Tensor* TensorFile::find(const std::string& name) const {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& each) { return each.first == name; });
  return found == tensors.end() ? nullptr : &found->second;
}

void save_tensors(const std::string& path, const TensorFile& file) {
  HeaderWriter header;
  for (const auto& [name, tensor] : file.tensors) {
    if (!tensor.defined())
      throw std::invalid_argument(
          text("save_tensors: each tensor must have a value: \"", name, "\" has none"));
    header.add(name, real_type, tensor);
  }
  for (const auto& [name, indices] : file.indices) header.add(name, "I32", indices);
  const std::string start = header.bytes(file.metadata);

  write_file_atomically(path, [&](const ByteSink& write) {
    write(start);
    for (const auto& named : file.tensors) write(bytes_of(named.second));
    for (const auto& named : file.indices) write(bytes_of(named.second));
  });
}

}  // namespace gradual
