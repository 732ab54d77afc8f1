#include <gradual/nn/text/corpus.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

/// The lines of a text file one by one, checked and without their ends.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw FileError(path_, text("cannot be read: ", std::strerror(errno)));
  }

  bool next(std::string& line) {
    if (!std::getline(file_, line)) {
      // A folder can be opened like a file; only reading from it fails.
      if (file_.bad()) throw FileError(path_, text("cannot be read: ", std::strerror(errno)));
      return false;
    }
    ++number_;
    if (const auto byte = first_invalid_byte(line)) {
      fail(text("the text must be valid UTF-8: byte ", *byte, " of the line is not"));
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    constexpr std::string_view byte_order_mark = "\uFEFF";
    if (number_ == 1 && line.compare(0, byte_order_mark.size(), byte_order_mark) == 0) {
      line.erase(0, byte_order_mark.size());
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError::at_line(path_, number_, problem);
  }
  const std::string& path() const { return path_; }
  Index number() const { return number_; }

 private:
  std::string path_;
  std::ifstream file_;
  Index number_ = 0;
};

std::string clean(std::string_view sentence) {
  const std::string plain = plain_spaces(sentence);
  const auto first = plain.find_first_not_of(" \t\v\f\r");
  if (first == std::string::npos) return "";
  return plain.substr(first, plain.find_last_not_of(" \t\v\f\r") + 1 - first);
}

/// Appends the pair unless both sides are empty; one empty side means that something went wrong with the
/// file.
void append(std::vector<SentencePair>& pairs, SentencePair pair, const LineReader& source,
            const LineReader& target) {
  if (pair.source.empty() && pair.target.empty()) return;
  if (pair.source.empty()) source.fail("the source sentence is empty");
  if (pair.target.empty()) target.fail("the target sentence is empty");
  pairs.push_back(std::move(pair));
}

Index count_words(std::string_view sentence) {
  bool inside = false;
  return std::count_if(sentence.begin(), sentence.end(), [&](char c) {
    const bool was_inside = std::exchange(inside, c != ' ' && c != '\t');
    return inside && !was_inside;
  });
}

}  // namespace

std::vector<SentencePair> read_tsv(const std::string& path) {
  std::vector<SentencePair> pairs;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) {
      if (!clean(line).empty()) reader.fail("no tab between source and target");
      continue;
    }
    const auto end = line.find('\t', tab + 1);
    const std::string_view view = line;
    const std::string_view target = view.substr(tab + 1, end == std::string::npos ? end : end - tab - 1);
    append(pairs, {clean(view.substr(0, tab)), clean(target)}, reader, reader);
  }
  if (pairs.empty()) throw FileError(path, "the corpus is empty: there is no line `source TAB target`");
  return pairs;
}

std::vector<SentencePair> read_aligned(const std::string& source_path, const std::string& target_path) {
  std::vector<SentencePair> pairs;
  LineReader source(source_path), target(target_path);
  std::string source_line, target_line;
  while (true) {
    const bool more_source = source.next(source_line), more_target = target.next(target_line);
    if (!more_source && !more_target) break;
    if (more_source != more_target) {
      while (source.next(source_line)) {
      }
      while (target.next(target_line)) {
      }
      throw FileError(source_path, text("the files must have the same number of lines: ", source.number(),
                                        " here, ", target.number(), " in ", target_path));
    }
    append(pairs, {clean(source_line), clean(target_line)}, source, target);
  }
  if (pairs.empty()) throw FileError(source_path, "the corpus is empty");
  return pairs;
}

void write_tsv(const std::string& path, const std::vector<SentencePair>& pairs) {
  std::string bytes;
  for (const SentencePair& pair : pairs) {
    for (const std::string& sentence : {pair.source, pair.target}) {
      if (sentence.find_first_of("\t\n\r") != std::string::npos) {
        throw std::invalid_argument("write_tsv: a sentence must hold no tab and no line break: \"" +
                                    sentence + "\"");
      }
    }
    bytes += pair.source + '\t' + pair.target + '\n';
  }
  write_file_atomically(path, bytes);
}

CorpusSplit split_by_source(const std::vector<SentencePair>& pairs, Index held_out, std::uint64_t seed) {
  std::unordered_map<std::string_view, Index> number_of;  // of each source, in order of first appearance
  for (const SentencePair& pair : pairs) number_of.emplace(pair.source, number_of.size());
  const auto sources = static_cast<Index>(number_of.size());
  if (held_out < 0 || (held_out >= sources && held_out > 0)) {
    throw std::invalid_argument(
        text("split_by_source: the held-out sentences must leave some for training: held_out "
             "is ",
             held_out, ", there are ", sources, " distinct source sentences"));
  }
  const std::vector<Index> rank = Random(seed).permutation(sources);
  CorpusSplit split;
  for (const SentencePair& pair : pairs) {
    const bool held = rank[number_of.at(pair.source)] < held_out;
    (held ? split.held_out : split.train).push_back(pair);
  }
  return split;
}

Index drop_long_pairs(std::vector<SentencePair>& pairs, Index max_words) {
  const auto is_long = [max_words](const SentencePair& pair) {
    return count_words(pair.source) > max_words || count_words(pair.target) > max_words;
  };
  const auto kept = std::remove_if(pairs.begin(), pairs.end(), is_long);
  const Index dropped = pairs.end() - kept;
  pairs.erase(kept, pairs.end());
  return dropped;
}

}  // namespace gradual
