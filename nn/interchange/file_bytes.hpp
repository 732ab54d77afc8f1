// The files of a folder, whole.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>

namespace gradual {

/// The bytes of a file. Throws FileError where it cannot be read, and for one of more than 256 MiB, which no
/// settings, vocabulary or subword model has.
std::string bytes_of_file(const std::string& path);

/// The tensors of model.safetensors, those alone whose names `wanted` takes. Throws FileError as
/// load_tensors(); where the model is in several files or in a pickle, it says how transformers writes it as
/// this one.
TensorFile weights_of_folder(const std::string& folder,
                             const std::function<bool(const std::string& name)>& wanted = {});

/// Throws FileError where a folder has one of these files, which others would read instead of what is written
/// beside it.
void require_none_of(const std::string& folder, const std::vector<std::string>& names);

/// What `make(path)` makes of a file of a folder. Whatever is wrong throws FileError with its name.
template <class Make>
auto from_file(const std::string& folder, const char* name, Make make) {
  const std::string path = folder + "/" + name;
  try {
    return make(path);
  } catch (const FileError&) {
    throw;
  } catch (const AllocationLimitError& error) {
    throw FileError(path, std::string("its settings describe a larger model than it holds: ") + error.what());
  } catch (const std::exception& error) {
    throw FileError(path, std::string("cannot be used: ") + error.what());
  }
}

}  // namespace gradual
