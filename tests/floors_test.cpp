// The order of the floors: a source includes what lies on its own floor or below, never what lies above.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

// From the ground up. nn/inspect is the roof: it looks at everything, and nothing but programs looks at it.
const std::vector<std::string> floors = {
    "core",           "autograd",       "nn",          "nn/text",     "nn/layers",  "nn/positions",
    "nn/attention",   "nn/graph",       "nn/seq2seq",  "nn/data",     "nn/drawing", "nn/recurrent",
    "nn/transformer", "nn/diagnosis",   "nn/decoding", "nn/training", "nn/doctor",  "nn/translation",
    "nn/language",    "nn/interchange", "nn/inspect",  "examples"};

// The floor of a file, by the longest folder of the list that it lies in; -1 where there is none.
int floor_of(const std::string& path) {
  const auto first = path.find('/'), second = path.find('/', first + 1);
  std::string folder = path.substr(0, first);
  if (folder == "nn" && second != std::string::npos) folder = path.substr(0, second);
  const auto found = std::find(floors.begin(), floors.end(), folder);
  return found == floors.end() ? -1 : static_cast<int>(found - floors.begin());
}

// What of the lines of a file at `path` looks up, or at a folder that is not in the list.
std::vector<std::string> wrong_includes(const std::string& path, std::istream& lines) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]gradual/([^>"]+)[>"])");
  std::vector<std::string> wrong;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const int there = floor_of(match[1]);
    if (floor_of(path) < 0 || there < 0 || there > floor_of(path)) wrong.push_back(path + ": " + line);
  }
  return wrong;
}

}  // namespace

TEST_CASE("floors: no source of the library or of a program includes what lies above it") {
  int files = 0;
  for (const char* top : {"core", "autograd", "nn", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GRADUAL_SOURCES) / top)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".hpp" && kind != ".cpp") continue;
      std::ifstream lines(entry.path());
      const std::string path = fs::relative(entry.path(), GRADUAL_SOURCES).generic_string();
      CHECK(wrong_includes(path, lines) == std::vector<std::string>{});
      ++files;
    }
  }
  CHECK(files > 300);
}

TEST_CASE("floors: an include that runs up, or to a folder without a place in the order, is found") {
  const auto wrong = [](const std::string& path, const std::string& line) {
    std::istringstream lines("// a comment\n" + line + "\n");
    return !wrong_includes(path, lines).empty();
  };
  CHECK(wrong("core/tensor.cpp", "#include <gradual/autograd/var.hpp>"));
  CHECK(wrong("nn/text/words.cpp", "#include <gradual/nn/inspect/explain.hpp>"));
  CHECK(wrong("nn/module.cpp", "# include \"gradual/nn/layers/layers.hpp\""));
  CHECK(wrong("nn/training/trainer.cpp", "#include <gradual/nn/new_folder/idea.hpp>"));
  CHECK(wrong("nn/new_folder/idea.cpp", "#include <gradual/core/tensor.hpp>"));
  CHECK_FALSE(wrong("nn/inspect/explain.cpp", "#include <gradual/nn/translation/translator.hpp>"));
  CHECK_FALSE(wrong("nn/text/words.cpp", "#include <gradual/nn/text/utf8.hpp>"));
  CHECK_FALSE(wrong("core/tensor.cpp", "#include <vector>"));
}
