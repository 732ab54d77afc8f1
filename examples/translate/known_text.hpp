// What a trained model knows, for people who are about to ask it for more.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/translator.hpp>

/// Reads a model: a file of ours, or a folder of another program; several with commas in between translate as
/// an ensemble. Throws FileError; where there is none, that says how to train one.
gradual::Translator load_model(const std::string& name);

/// Where a model lies, or the first of several: the folder of its run, or the model itself where it is one.
std::string folder_of(const std::string& name);

/// The held-out sets beside a model, or the one of a file that is named. Throws FileError.
std::vector<gradual::HeldOutSet> test_sets(const std::string& model, const std::string& tsv);

/// The held-out sets beside a model, to propose sentences from; none of damaged files.
std::vector<gradual::HeldOutSet> sets_to_try(const std::string& model);

/// What the held-out sentences beside a model have in common, and those that it learnt from, which are like
/// them.
struct LearntFrom {
  explicit LearntFrom(const std::vector<gradual::HeldOutSet>& held_out);
  gradual::Index longest = 0;   ///< the most words of one; 0: not known
  bool all_have_marks = false;  ///< whether all end with a full stop or another mark
};

/// Why a translation may be wrong.
enum class Doubt {
  none,
  fewer_sentences,  ///< it has fewer than its source
  longer,           ///< the source has more words than what the model learnt from
  cut,              ///< it came to no end
  no_mark,          ///< the source has none at its end, unlike what the model learnt from
  repeats,          ///< it says two words twice
};
struct DoubtNote {
  Doubt doubt = Doubt::none;
  std::string words = "";  ///< what to say of it; none: ""
};

/// The first doubt about a translation, which is `finished` where the search came to its end.
DoubtNote doubt_about(const std::string& source, const std::string& translation, const LearntFrom& learnt,
                      bool finished = true);

/// What a text has up to each of its full stops and other marks, and the rest.
std::vector<std::string> sentences_in(const std::string& text);

/// What to say of a translation in doubt, by the held-out sentences beside its model; nothing of others.
std::string note_on(const std::string& source, const std::string& translation,
                    const std::vector<gradual::HeldOutSet>& held_out);

/// " --model FILE", as it is typed; nothing for the one that is used without.
std::string option_of(const std::string& model);

/// The commands that use the model of a run, each under what it does, to be pasted where they are printed.
std::string next_commands(const std::string& model);
