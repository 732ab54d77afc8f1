// Texts with a label each, as for training and testing a classifier.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A text, and what it is.
struct LabelledText {
  std::string label;               ///< "LOC"
  std::string kind;                ///< the finer label, "LOC:city"; where there is none, the label again
  std::vector<std::string> words;  ///< of the text
  std::int64_t line;               ///< where it stands in its file, from 1
};

/// The texts of a file of lines `LABEL words …` or `LABEL:kind words …`, the format of the TREC questions (Li
/// and Roth 2002). Words are what stands between spaces. Empty lines are skipped; a line that is not UTF-8 is
/// read as Latin-1. Throws FileError with the line where there is no label or no word, and without one where
/// the file cannot be read or holds no text.
std::vector<LabelledText> read_labelled_texts(const std::string& path);

/// The distinct labels, in byte order.
std::vector<std::string> labels_of(const std::vector<LabelledText>& texts);
/// The distinct kinds, in byte order.
std::vector<std::string> kinds_of(const std::vector<LabelledText>& texts);

/// Each text in one of `parts` parts, in equal shares as far as that goes; texts whose words differ in
/// nothing but case share a part, so that none is tested on what was learnt by heart. Throws
/// std::invalid_argument unless there are at least two parts.
std::vector<Index> split_into_parts(const std::vector<LabelledText>& texts, Index parts, std::uint64_t seed);

}  // namespace gradual
