#include <algorithm>
#include <optional>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "../../examples/translate/settings.hpp"
#include "../../examples/translate/subcommand.hpp"
#include "support/files.hpp"
#include "targets.hpp"

namespace gradual::fuzz {

void take_model_file(const std::string& bytes) {
  static const TestFolder folder;
  const std::string path = folder.write("model", bytes);
  CLI::App app;
  CLI::App* const command = app.add_subcommand("translate");
  BeamOptions search;
  add_search_options(*command, search);
  std::optional<Translator> translator;
  try {
    translator = load(*command, path);
  } catch (const FileError&) {
    return;
  }
  search.beam_size = std::min<Index>(search.beam_size, 3);  // a hundred may be asked for, and take their time
  search.max_length = std::min<Index>(search.max_length, 8);
  const std::string sentence = "a b the 3 \xC3\xA9\xE2\x96\x81z .";
  try {
    for (const auto& found : translator->search({sentence}, search))
      for (const Hypothesis& hypothesis : found) static_cast<void>(translator->text_of(sentence, hypothesis));
  } catch (const std::invalid_argument&) {  // a sentence that the model cannot take, or a search
  }
}

}  // namespace gradual::fuzz
