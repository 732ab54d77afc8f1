#include <gradual/nn/translation/shortlist.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/translation/ibm_model1.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::int32_t>;
const std::string shortlist_mark = "gradual shortlist for ";

// The most frequent target words; of equally frequent ones the lower.
Words frequent_words(const std::vector<EncodedPair>& pairs, std::size_t most) {
  std::map<std::int32_t, Index> counts;
  for (const EncodedPair& pair : pairs)
    for (const std::int32_t word : pair.target) ++counts[word];
  std::vector<std::pair<std::int32_t, Index>> all(counts.begin(), counts.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Words words;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) words.push_back(all[i].first);
  return words;
}

std::string written_words(const Words& words) {
  std::string line;
  for (const std::int32_t word : words) line += (line.empty() ? "" : " ") + std::to_string(word);
  return line + "\n";
}

std::string first_line(std::uint64_t vocabularies, std::size_t source_words) {
  return text(shortlist_mark, vocabularies, " by ", source_words, " words");
}

Words read_words(const std::string& path, std::int64_t number, const std::string& line) {
  Words words;
  std::istringstream from(line);
  for (std::int32_t word = 0; from >> word;) {
    if (word < 0) break;
    words.push_back(word);
  }
  if (!from.eof() || written_words(words) != line + "\n")
    throw FileError::at_line(path, number, "not a list of words by their numbers");
  return words;
}

}  // namespace

void ShortlistOptions::check() const {
  if (most_frequent < 0 || likeliest < 0)
    throw std::invalid_argument(text("shortlist: there must be no fewer than 0 words: got ", most_frequent,
                                     " of the most frequent, ", likeliest, " of the likeliest"));
  if (rounds < 1) throw std::invalid_argument(text("shortlist: rounds must be positive: got ", rounds));
}

Shortlist::Shortlist(const std::vector<EncodedPair>& pairs, const ShortlistOptions& options,
                     std::uint64_t vocabularies)
    : vocabularies_(vocabularies) {
  options.check();
  always_ = frequent_words(pairs, static_cast<std::size_t>(options.most_frequent));
  always_.insert(always_.end(), {Vocabulary::eos, Vocabulary::unknown});
  std::sort(always_.begin(), always_.end());
  always_.erase(std::unique(always_.begin(), always_.end()), always_.end());
  const IbmModel1 model(pairs, options.rounds);
  for (std::int32_t word = 0; word < model.source_words(); ++word)
    by_source_.push_back(model.likeliest(word, static_cast<std::size_t>(options.likeliest)));
}

void Shortlist::save(const std::string& path) const { write_file_atomically(path, lines()); }

std::string Shortlist::lines() const {
  std::string lines = first_line(vocabularies_, by_source_.size()) + "\n" + written_words(always_);
  for (const Words& words : by_source_) lines += written_words(words);
  return lines;
}

Shortlist Shortlist::load(const std::string& path) {
  std::ifstream file = open_lines(path);
  std::string line;
  Shortlist result;
  if (!read_line(file, line, path, 1) || line.compare(0, shortlist_mark.size(), shortlist_mark) != 0)
    throw FileError(path, "is not a shortlist");
  std::istringstream numbers(line.substr(shortlist_mark.size()));
  std::size_t source_words = 0;
  std::string by;
  numbers >> result.vocabularies_ >> by >> source_words;
  const bool is_counted = line == first_line(result.vocabularies_, source_words);
  if (!is_counted && line != text(shortlist_mark, result.vocabularies_))  // written by hand
    throw FileError(path, "is not a shortlist");
  std::int64_t number = 2;
  if (!read_line(file, line, path, number)) throw FileError(path, "the file ends before its words");
  result.always_ = read_words(path, number, line);
  std::sort(result.always_.begin(), result.always_.end());
  bool is_whole = !file.eof();  // whether the last line has its end
  for (; read_line(file, line, path, ++number); is_whole = !file.eof())
    result.by_source_.push_back(read_words(path, number, line));
  if (is_counted && (result.by_source_.size() != source_words || !is_whole))
    throw FileError(path, text("must have a whole line for each of ", source_words,
                               " source words: it was cut, or has others"));
  if (!std::binary_search(result.always_.begin(), result.always_.end(), Vocabulary::eos))
    throw FileError::at_line(path, 2, "sentences must be able to end: the end token is missing");
  return result;
}

Words Shortlist::words_for(const std::vector<Words>& sentences) const {
  Words words = always_;
  for (const Words& sentence : sentences) {
    for (const std::int32_t word : sentence) {
      if (word < 0 || static_cast<std::size_t>(word) >= by_source_.size()) continue;
      const Words& more = by_source_[static_cast<std::size_t>(word)];
      words.insert(words.end(), more.begin(), more.end());
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::int32_t Shortlist::highest() const {
  std::int32_t highest = always_.empty() ? -1 : *std::max_element(always_.begin(), always_.end());
  for (const Words& words : by_source_)
    for (const std::int32_t word : words) highest = std::max(highest, word);
  return highest;
}

}  // namespace gradual
