// The files of a model's folder, and what is said of those that are not there as they should be.
#include <gradual/nn/interchange/file_bytes.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE(
    "weights of a folder: half precision is refused with what to do, and what is not wanted may have it") {
  for (const std::string type : {"F16", "BF16"}) {
    const TestFolder folder;
    const std::string header = R"({"x":{"dtype":")" + type + R"(","shape":[2],"data_offsets":[0,4]}})";
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    folder.write("model.safetensors", bytes + header + "1234");
    CHECK(message_of<FileError>([&] { weights_of_folder(folder / ""); }) ==
          folder / "" + "/model.safetensors: byte 9: tensor \"x\": data type \"" + type +
              "\" is not one of F32, F64, I32 and I64; have transformers write the model in single precision "
              "with model.float().save_pretrained(folder)");
    CHECK(weights_of_folder(folder / "", [](const std::string&) { return false; }).tensors.empty());
  }
}

TEST_CASE("weights of a folder: a link that leads to itself is a file that cannot be read") {
  const TestFolder folder;
  std::error_code error;
  std::filesystem::create_symlink("model.safetensors", folder / "model.safetensors", error);
  if (error) return;  // which takes special rights on Windows
  CHECK_THAT(message_of<FileError>([&] { weights_of_folder(folder / ""); }),
             Contains("model.safetensors: cannot be read: "));
}
