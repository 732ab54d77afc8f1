// Parallel text: pairs of a sentence and its translation, in one TSV file or in two line-aligned files.
//
// What is read is cleaned alike: a byte order mark and Windows line ends are dropped, the no-break spaces
// U+00A0 and U+202F become plain spaces, and spaces at the ends of a sentence go away. Lines of nothing but
// spaces are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

struct SentencePair {
  std::string source, target;
};

inline bool operator==(const SentencePair& a, const SentencePair& b) {
  return a.source == b.source && a.target == b.target;
}

/// Which words of a sentence pair translate each other: positions in source and target, counted from 0.
using Alignment = std::vector<std::pair<Index, Index>>;

/// The pairs of a file of lines `source TAB target`; what follows a second tab (the attribution in newer
/// Tatoeba exports) is ignored. Throws FileError with the line where there is no tab, one side is empty or
/// the text is not UTF-8, and without one where the file cannot be read or holds no pair.
std::vector<SentencePair> read_tsv(const std::string& path);

/// The pairs of two files whose n-th lines translate each other. Throws FileError as read_tsv does, and with
/// both line counts when they differ.
std::vector<SentencePair> read_aligned(const std::string& source_path, const std::string& target_path);

/// Writes pairs so that read_tsv reads them again, wholly or not at all. Throws std::invalid_argument for a
/// sentence with a tab or line break inside, FileError when the file cannot be written.
void write_tsv(const std::string& path, const std::vector<SentencePair>& pairs);

struct CorpusSplit {
  std::vector<SentencePair> train, held_out;
};

/// Holds out `held_out` distinct source sentences, chosen by `seed`, with all their translations: a source
/// that stood on both sides would be tested on what was learnt by heart. Both sides keep the order of
/// `pairs`. Throws std::invalid_argument when `held_out` is negative or leaves no source for training.
CorpusSplit split_by_source(const std::vector<SentencePair>& pairs, Index held_out, std::uint64_t seed);

/// Removes the pairs with more than `max_words` words on either side and returns how many there were; words
/// are what stands between spaces.
Index drop_long_pairs(std::vector<SentencePair>& pairs, Index max_words);

}  // namespace gradual
