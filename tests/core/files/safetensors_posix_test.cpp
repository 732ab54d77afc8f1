// Files of tensors where one may take the name of another that is open.
#include <gradual/core/files/safetensors.hpp>

#include <atomic>
#include <string>
#include <thread>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("safetensors: a file whose name another takes while it is read is read to its own end") {
  const TestFolder folder;
  const std::string path = folder / "model";
  const auto save = [&](Index size) {
    TensorFile file;
    file.tensors.emplace_back("a", Tensor::full({size}, static_cast<Real>(size)));
    save_tensors(path, file);
  };
  save(10);
  std::atomic<int> replaced{0};
  std::thread writer([&] {
    for (Index size = 10; replaced < 100; ++replaced) save(size = 10010 - size);
  });
  std::string problem;
  while (replaced < 100 && problem.empty()) {
    try {
      const Tensor read = load_tensors(path).tensors.front().second;
      if (read.data()[read.size() - 1] != static_cast<Real>(read.size())) problem = "it is not whole";
    } catch (const FileError& error) {
      problem = error.what();
    }
  }
  writer.join();
  CHECK(problem == "");
}
