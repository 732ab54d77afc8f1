// What the subcommands that use a trained model have in common.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "../command_line.hpp"
#include "config_file.hpp"
#include "known_text.hpp"

/// A subcommand, what it does once the command line was read, and what one may type to try it.
struct Subcommand {
  CLI::App* command;
  std::function<void()> run;
  std::string example;
};

inline const std::string as_tested = "A search option that is left out is as in the training of the model";

inline Options with_model(CLI::App& command, std::string& model) {
  Options options(command);
  options.file(
      "model", model,
      "a trained model, a folder in Hugging Face's Marian layout, or several of them, with commas in "
      "between, that translate together");
  return options;
}

/// Of those that take no several that translate together.
inline Options with_one_model(CLI::App& command, std::string& model) {
  Options options(command);
  options.file("model", model, "a trained model, or a folder in Hugging Face's Marian layout");
  return options;
}

/// What a search uses beside its model: what makes it sooner done and a little less exact, and a model that
/// translates back.
struct SearchAids {
  bool int8 = false;          // products in 8 bits
  std::string shortlist;      // a file of the words that may be written
  std::string reverse_model;  // from the target to the source
  double reverse_weight = 0;  // of how well a translation leads back
};

inline std::shared_ptr<SearchAids> add_aid_options(CLI::App& command) {
  auto aids = std::make_shared<SearchAids>();
  const Options options(command, search_group);
  options.flag("int8", aids->int8, "multiply by the weights in 8 bits: sooner done, and a little less exact");
  options.file(
      "shortlist", aids->shortlist,
      "write only words of this file, which `shortlist` makes: sooner done, and a little less exact");
  options.file(
      "reverse-model", aids->reverse_model,
      "a model that translates the other way, for --reverse-weight; without it, the model itself, if it "
      "learnt --both-ways");
  options.not_negative(
      "reverse-weight", aids->reverse_weight,
      "how much it counts that a translation leads back to its sentence: λ of Li and Jurafsky "
      "2016, among as many translations as the --beam; 0: nothing");
  return aids;
}

/// Calls set(), which gives a model from this file what was asked for. Throws FileError where the model
/// cannot have it, saying what for.
template <class Set>
void set_for(const std::string& file, const std::string& purpose, Set set) {
  try {
    set();
  } catch (const std::invalid_argument& error) {
    throw gradual::FileError(file, "cannot " + purpose + ": " + error.what());
  }
}

/// Has a model from this file multiply in 8 bits. Throws FileError where it cannot.
inline void set_int8(gradual::Translator& translator, const std::string& file, const std::string& purpose) {
  set_for(file, purpose + " with --int8",
          [&] { translator.model().set_precision(gradual::Precision::int8); });
}

/// The way back of a search, or of one for which a beam of 1 was asked. Throws FileError, and
/// std::invalid_argument where there is none.
inline gradual::Translator::Reverse reverse_of(const gradual::Translator& translator, const SearchAids& aids,
                                               bool greedy) {
  if (!aids.reverse_model.empty()) {
    if (aids.reverse_weight == 0 && greedy)  // which is why that of the training does not count
      throw std::invalid_argument(
          "--reverse-model chooses among the translations of a beam, by --reverse-weight: --beam is 1");
    if (aids.reverse_weight == 0)
      throw std::invalid_argument("--reverse-model is for --reverse-weight, which is 0");
    auto back = std::make_shared<gradual::Translator>(load_model(aids.reverse_model));
    if (aids.int8) set_int8(*back, aids.reverse_model, "translate back");
    return {std::move(back), aids.reverse_weight};
  }
  if (aids.reverse_weight > 0 && !learnt_both_ways(translator.notes()))
    throw std::invalid_argument(
        "--reverse-weight needs a model that translates back: --reverse-model, or one trained with "
        "--both-ways");
  return {nullptr, aids.reverse_weight};
}

/// Throws std::invalid_argument where the way back is to count and a search finds nothing to choose from.
inline void require_choice(const SearchAids& aids, const gradual::BeamOptions& search) {
  if (aids.reverse_weight > 0 && search.beam_size == 1)
    throw std::invalid_argument("--reverse-weight chooses among the translations of a beam: --beam is 1");
}

/// A trained model, and its way to search for those options of the command that were left out.
inline gradual::Translator load(CLI::App& command, const std::string& model,
                                const std::shared_ptr<SearchAids>& aids = nullptr) {
  gradual::Translator translator = load_model(model);
  const CLI::Option* const beam = command.get_option_no_throw("--beam");
  const bool greedy = beam && beam->count() > 0 && beam->as<std::string>() == "1";  // as was typed
  try {
    search_as_trained(command, translator.notes());
  } catch (const CLI::ParseError& error) {
    throw gradual::FileError(model,
                             gradual::text("cannot be used: its notes say how to search: ", error.what()));
  }
  if (!aids) return translator;
  if (aids->int8) set_int8(translator, model, "translate");
  if (!aids->shortlist.empty()) {
    gradual::Shortlist shortlist = gradual::Shortlist::load(aids->shortlist);
    set_for(model, "translate with --shortlist " + aids->shortlist,
            [&] { translator.set_shortlist(std::move(shortlist)); });
  }
  translator.set_reverse(reverse_of(translator, *aids, greedy));
  return translator;
}
