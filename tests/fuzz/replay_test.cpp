// The kept inputs, and some that are made of them, without libFuzzer: in every build, those with sanitizers
// among them.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "targets.hpp"

using namespace gradual;
using namespace gradual::fuzz;

namespace {

// Another byte, one more, or one less.
std::string changed_bytes(std::string bytes, Random random) {
  const auto place = static_cast<std::size_t>(random.below(static_cast<Index>(bytes.size()) + 1));
  const auto byte = static_cast<char>(random.below(256));
  switch (random.below(3)) {
    case 0:
      bytes.insert(place, 1, byte);
      break;
    case 1:
      bytes.erase(std::min(place, bytes.size()), 1);
      break;
    default:
      if (place < bytes.size()) bytes[place] = byte;
  }
  return bytes;
}

void replay(const std::string& name) {
  const auto target =
      std::find_if(targets().begin(), targets().end(), [&](const Target& each) { return each.name == name; });
  REQUIRE(target != targets().end());
  std::vector<std::filesystem::path> kept;
  for (const auto& entry : std::filesystem::directory_iterator(GRADUAL_SOURCES "/tests/fuzz/corpus/" + name))
    kept.push_back(entry.path());
  std::sort(kept.begin(), kept.end());
  REQUIRE(!kept.empty());
  const char* const wanted = std::getenv("FUZZ_ROUNDS");
  const long rounds = wanted ? std::atol(wanted) : 1;
  constexpr int generations = 8;
  Random random(1);
  for (const auto& path : kept) {
    INFO(path);
    const std::string unchanged = content(path.string());
    target->take(unchanged);
    for (long round = 0; round < rounds; ++round) {
      std::string bytes = unchanged;
      for (int generation = 1; generation <= generations; ++generation) {
        bytes = target->change(bytes, random.split(),
                               [&](const std::string& part) { return changed_bytes(part, random.split()); });
        try {
          target->take(bytes);
        } catch (const std::exception& error) {
          FAIL_CHECK("round " << round << ", after " << generation << " changes: " << error.what());
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("fuzz: model files are read and used, or refused") { replay("model_file"); }
TEST_CASE("fuzz: config files are read, and read back as they were written, or refused") {
  replay("config_file");
}
TEST_CASE("fuzz: arguments are read or refused") { replay("arguments"); }
TEST_CASE("fuzz: questions are answered or refused") { replay("question"); }
