#include <gradual/nn/interchange/file_bytes.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>

namespace gradual {

std::string bytes_of_file(const std::string& path) {
  constexpr std::uintmax_t most = std::uintmax_t(256) << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path_of(path), error);
  if (error) throw FileError(path, "cannot be read: " + error.message());
  if (size > most) throw FileError(path, text("must have at most ", most, " bytes: it has ", size));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) throw FileError(path, "cannot be read");
  return bytes;
}

TensorFile weights_of_folder(const std::string& folder,
                             const std::function<bool(const std::string& name)>& wanted) {
  const auto is_there = [&](const char* name) {
    std::error_code error;  // such as links in a circle, of which reading says more
    return std::filesystem::exists(path_of(folder + "/" + name), error);
  };
  const char* index = "model.safetensors.index.json";
  const char* pickle = "pytorch_model.bin";
  if (!is_there("model.safetensors")) {
    if (is_there(index))
      throw FileError(folder + "/" + index,
                      "names several files, of which none is the whole model; have transformers write it as "
                      "one with save_pretrained(folder, max_shard_size=\"100GB\")");
    if (is_there(pickle))
      throw FileError(folder + "/" + pickle,
                      "is a pickle, which is a program; have transformers write the model as safetensors "
                      "with save_pretrained(folder)");
  }
  return load_tensors(folder + "/model.safetensors", wanted);
}

void require_none_of(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    std::error_code error;
    if (std::filesystem::exists(path_of(path), error))
      throw FileError(
          path, "would be read instead of what is written: it is another model's; name a folder of its own");
  }
}

}  // namespace gradual
