// Models in files: parameters as tensors in the safetensors format, and what describes the model as metadata.
#pragma once

#include <map>
#include <string>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// What kind of model a file holds, and in which format.
struct ModelFormat {
  const char* what;     ///< for people: "character model"
  const char* key;      ///< of the metadata whose value is the version: "gradual_character_model"
  const char* version;  ///< the only one that is read
};

/// Writes a model wholly or not at all. Throws FileError.
void save_model(const std::string& path, const ModelFormat& format,
                std::map<std::string, std::string> metadata, const std::vector<NamedParameter>& parameters);

/// The file of a model. Throws FileError for one of another kind or version, or none at all.
TensorFile load_model_file(const std::string& path, const ModelFormat& format);
/// What the metadata have under a key. Throws std::runtime_error where there is nothing.
const std::string& metadata_of(const TensorFile& file, const std::string& key);

/// How many bytes the tensors of a model may take while it is made from this file, as an AllocationLimit
/// counts them: twice those of the file's and 64 MiB.
std::int64_t bytes_to_load(const TensorFile& file);

/// What `make(file)` makes of the file of a model. Throws FileError: "cannot be used" where the program lacks
/// what the file needs, sizes do not fit, or the settings ask for a far larger model than the file has, which
/// is a std::logic_error of make(), and "damaged" for any other.
template <class Make>
auto load_model(const std::string& path, const ModelFormat& format, Make make) {
  const TensorFile file = load_model_file(path, format);
  try {
    const AllocationLimit limit(bytes_to_load(file));  // the settings are a stranger's
    return make(file);
  } catch (const AllocationLimitError& error) {
    throw FileError(
        path,
        std::string("cannot be used: its settings describe a larger model than it holds: ") + error.what());
  } catch (const std::logic_error& error) {
    throw FileError(path, std::string("cannot be used: ") + error.what());
  } catch (const std::exception& error) {
    throw FileError(path, std::string("damaged: ") + error.what());
  }
}

}  // namespace gradual
