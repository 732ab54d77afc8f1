// Sentences as words, and back. Made with French and English in mind; other languages that write spaces
// between words get sensible words too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// The words and punctuation marks of a sentence. `split_words(lower_case(sentence))` gives them in lower
/// case.
///
///     L'ami de Marie a-t-il dit « oui » ?    L' ami de Marie a -t -il dit « oui » ?
///     "I don't know," he said.               " I do n't know , " he said .
///     Qu'est-ce qu'il y a aujourd’hui ?      Qu' est -ce qu' il y a aujourd'hui ?
///     It's Anne-Marie's at 10:30, $1,000.5   It 's Anne -Marie 's at 10:30 , $ 1,000.5
///
/// - The elided words of French keep their apostrophe: c' d' j' l' m' n' s' t' qu' jusqu' lorsqu' puisqu'
///   quoiqu'.
/// - English endings come off with theirs: 's 'm 'd 're 've 'll and n't. Other apostrophes stay inside the
///   word.
/// - A hyphen inside a word begins the next piece; at its end (ein- und ausgehen) it stays. A full stop, @ or
///   & stays inside a word, and a comma, colon or stroke inside a number. A run of full stops, of hyphens, or
///   of ? and ! is one mark.
/// - The typographic apostrophe ’ is the same as '.
///
/// Throws std::invalid_argument when `sentence` is not valid UTF-8.
std::vector<std::string> split_words(std::string_view sentence);

/// How a language sets the marks ? ! : ; % and the signs of currencies.
enum class Spacing {
  plain,  ///< "Why? 5% of $10": as in English, German and most others
  french  ///< "Pourquoi ? 5 % de 10 $"
};
/// Their names.
inline const Names<Spacing>& spacings() {
  static const Names<Spacing> names("text: the spacing",
                                    {{"plain", Spacing::plain}, {"french", Spacing::french}});
  return names;
}

/// The sentence that these words make, with the usual spaces: none after ( or l', none before ) or 's, and so
/// on.
///
/// `join_words(split_words(s), spacing)` is `s` for a sentence set in the usual way. Not restored are ’ (it
/// becomes '), no-break and repeated spaces, a space that is missing after a comma or around a dash, unusual
/// spaces such as "l' ami", "$ 5" or "( a )", and quotation marks that do not alternate between opening and
/// closing.
std::string join_words(const std::vector<std::string>& words, Spacing spacing);

/// Finds out how a language sets its marks, from one sentence after another. A sentence without marks that the
/// spacings set differently speaks for neither.
class SpacingCensus {
 public:
  /// Throws std::invalid_argument when a sentence with such a mark is not valid UTF-8.
  void add(const std::string& sentence);
  /// The spacing with which join_words restores more of the sentences after split_words.
  Spacing spacing() const { return french_ > plain_ ? Spacing::french : Spacing::plain; }

 private:
  Index plain_ = 0, french_ = 0;  // sentences restored
};

}  // namespace gradual
