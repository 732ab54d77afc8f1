// The files of a model's folder, and what is said of those that are not there as they should be.
#include <gradual/nn/interchange/file_bytes.hpp>

#include <filesystem>
#include <string>
#include <system_error>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("weights of a folder: a link that leads to itself is a file that cannot be read") {
  const TestFolder folder;
  std::error_code error;
  std::filesystem::create_symlink("model.safetensors", folder / "model.safetensors", error);
  if (error) return;  // which takes special rights on Windows
  CHECK_THAT(message_of<FileError>([&] { weights_of_folder(folder / ""); }),
             Contains("model.safetensors: cannot be read: "));
}
