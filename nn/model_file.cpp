#include <gradual/nn/model_file.hpp>

#include <algorithm>
#include <utility>

namespace gradual {

void save_model(const std::string& path, const ModelFormat& format,
                std::map<std::string, std::string> metadata, const std::vector<NamedParameter>& parameters) {
  TensorFile file;
  file.metadata = std::move(metadata);
  file.metadata[format.key] = format.version;
  for (const NamedParameter& parameter : parameters)
    file.tensors.emplace_back(parameter.name, parameter.variable.value());
  save_tensors(path, file);
}

TensorFile load_model_file(const std::string& path, const ModelFormat& format) {
  TensorFile file = load_tensors(path);
  const auto found = file.metadata.find(format.key);
  if (found == file.metadata.end())
    throw FileError(path, text("not a ", format.what, ": there is no \"", format.key, "\" in its metadata"));
  if (found->second != format.version)
    throw FileError(path, text("written by another version of the program: format ", found->second,
                               ", this program reads ", format.version));
  return file;
}

const std::string& metadata_of(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) throw std::runtime_error("there is no \"" + key + "\" in its metadata");
  return found->second;
}

std::int64_t bytes_to_load(const TensorFile& file) {
  constexpr std::int64_t always = std::int64_t(64) << 20;
  std::int64_t bytes = 0;
  for (const auto& named : file.tensors)
    bytes +=
        std::max(named.second.size() * static_cast<std::int64_t>(sizeof(Real)), AllocationLimit::smallest);
  return always + 2 * bytes;
}

}  // namespace gradual
