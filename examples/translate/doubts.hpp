// Why a translation may be wrong, for who asked for it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gradual/nn/translation/evaluation.hpp>

/// What the held-out sentences beside a model have in common, and those that it learnt from, which are like
/// them.
struct LearntFrom {
  explicit LearntFrom(const std::vector<gradual::HeldOutSet>& held_out);
  gradual::Index longest = 0;        ///< the most words of one; 0: not known
  bool all_have_marks = false;       ///< whether all end with a full stop or another mark
  std::set<std::string> says_twice;  ///< what right translations say twice, such as "nous" in "nous nous"
};

/// Why a translation may be wrong.
enum class Doubt {
  none,
  fewer_sentences,  ///< it has fewer than its source
  longer,           ///< the source has more words than what the model learnt from
  cut,              ///< it came to no end
  no_mark,          ///< the source has none at its end, unlike what the model learnt from
  repeats,          ///< it says the same twice, which no right one does
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
