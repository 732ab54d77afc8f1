#include <gradual/core/files/system_file.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("system file: its beginning is all of a short file, and no more than was asked for of a long one") {
  const TestFolder folder;
  for (const std::size_t size : {0, 1, 2, 4095, 4096, 4097, 10000}) {
    const std::string bytes(size, 'x');
    const SystemFile file(folder.write("file", bytes));
    INFO(size);
    CHECK(file.beginning(20000) == bytes);
    for (const std::size_t most : {0, 1, 4096, 4097}) CHECK(file.beginning(most) == bytes.substr(0, most));
  }
}
