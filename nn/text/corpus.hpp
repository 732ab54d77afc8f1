// Parallel text: pairs of a sentence and its translation, in one TSV file or in two line-aligned files.
//
// What is read is cleaned alike, and what is translated should be, too: see clean_sentence(). Lines of
// nothing but spaces are skipped.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/text/stream.hpp>

namespace gradual {

/// A sentence and its translation.
struct SentencePair {
  std::string source, target;  // a sentence and its translation
};

inline bool operator==(const SentencePair& a, const SentencePair& b) {
  return a.source == b.source && a.target == b.target;
}

/// Which words of a sentence pair translate each other: positions in source and target, counted from 0.
using Alignment = std::vector<std::pair<Index, Index>>;

/// A sentence pair whose words are aligned.
struct AlignedPair {
  SentencePair pair;    // a sentence and its translation
  Alignment alignment;  // which of their words belong together
};

/// Sentence pairs, one by one.
using PairStream = Stream<SentencePair>;

/// A line of text as a sentence: without a byte order mark and Windows line ends; no-break spaces (U+00A0,
/// U+202F), tabs and other control characters that stand for space are plain spaces, and none are at the
/// ends.
std::string clean_sentence(std::string_view line);

/// The pair of a line `source TAB target`, the one that has this number in the file `path`; none of a line of
/// nothing but spaces. Throws FileError as open_tsv does.
std::optional<SentencePair> pair_of_line(std::string_view line, const std::string& path, Index number);

/// The pairs of a file of lines `source TAB target`, read one by one; what follows a second tab (the
/// attribution in newer Tatoeba exports) is ignored. This and next() throw FileError: with the line where
/// there is no tab, one side is empty or the text is not UTF-8, and without one where the file cannot be read
/// or holds no pair. A pipe, which can be read only once, is kept in memory.
std::unique_ptr<PairStream> open_tsv(const std::string& path);

/// The pairs of two files whose n-th lines translate each other. Throws FileError as open_tsv does, and with
/// both line counts when they differ.
std::unique_ptr<PairStream> open_aligned(const std::string& source_path, const std::string& target_path);

/// All pairs of a file, or of two, at once.
std::vector<SentencePair> read_tsv(const std::string& path);
std::vector<SentencePair> read_aligned(const std::string& source_path, const std::string& target_path);

/// Writes pairs so that read_tsv reads them again, wholly or not at all. Throws std::invalid_argument for a
/// sentence with a tab or line break inside, FileError when the file cannot be written.
void write_tsv(const std::string& path, const std::vector<SentencePair>& pairs);

/// How many words there are between spaces.
Index count_words(std::string_view sentence);

}  // namespace gradual
