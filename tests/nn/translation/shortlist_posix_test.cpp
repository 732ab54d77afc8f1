// Shortlists that are no regular files.
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>

#include <gradual/nn/translation/shortlist.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("shortlist: what is unpacked into a pipe is read") {
  const TestFolder folder;
  const Shortlist shortlist({{{5}, {6}}, {{5, 4}, {6, 7}}}, {});
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread unpacking([&] { std::ofstream(pipe) << shortlist.lines(); });
  const Shortlist read = Shortlist::load(pipe);
  unpacking.join();
  CHECK(read.lines() == shortlist.lines());
}
