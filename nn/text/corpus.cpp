#include <gradual/nn/text/corpus.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

/// The lines of a text file one by one, checked.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), file_(open_lines(path)) {}

  bool next(std::string& line) {
    if (!read_line(file_, line, path_, number_ + 1)) {
      if (file_.bad()) throw FileError(path_, text("cannot be read: ", std::strerror(errno)));
      return false;
    }
    ++number_;
    if (const auto byte = first_invalid_byte(line)) {
      fail(text("the text must be valid UTF-8: byte ", *byte, " of the line is not"));
    }
    return true;
  }

  void rewind() {
    file_.clear();
    file_.seekg(0);
    number_ = 0;
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

/// Whether there is nothing but white space of any script.
bool is_blank(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) < 0x80 || first_invalid_byte(text))
    return text.empty();
  const std::u32string letters = decode_utf8(text);
  return std::all_of(letters.begin(), letters.end(), is_space);
}

/// Whether the pair is one; one empty side means that something went wrong with the file.
bool is_pair(const SentencePair& pair, const LineReader& source, const LineReader& target) {
  if (pair.source.empty() && pair.target.empty()) return false;
  if (pair.source.empty()) source.fail("the source sentence is empty");
  if (pair.target.empty()) target.fail("the target sentence is empty");
  return true;
}

/// Pairs from files, which should give the same each time that they are gone through.
class FilePairs : public PairStream {
 public:
  explicit FilePairs(std::string path) : path_(std::move(path)) {}

  bool next(SentencePair& pair) final {
    const bool found = read(pair);
    seen_ += found ? 1 : 0;
    if (!found && seen_ == 0) throw FileError(path_, "the corpus is empty" + hint());
    if (!found && !total_) total_ = seen_;
    if (total_ && (found ? seen_ > *total_ : seen_ < *total_))
      throw FileError(path_, text("the file changed while it was used: it had ", *total_, " pairs"));
    return found;
  }
  void rewind() final {
    seen_ = 0;
    begin();
  }

 private:
  virtual bool read(SentencePair& pair) = 0;
  virtual void begin() = 0;
  virtual std::string hint() const { return ""; }

  std::string path_;
  Index seen_ = 0;
  std::optional<Index> total_;  // known when they were gone through for the first time
};

class TsvPairs final : public FilePairs {
 public:
  explicit TsvPairs(const std::string& path) : FilePairs(path), reader_(path) {}

 private:
  bool read(SentencePair& pair) override {
    while (reader_.next(line_)) {
      if (split(pair)) return true;
    }
    return false;
  }
  void begin() override { reader_.rewind(); }
  std::string hint() const override { return ": there is no line `source TAB target`"; }

  bool split(SentencePair& pair) {
    std::optional<SentencePair> found = pair_of_line(line_, reader_.path(), reader_.number());
    if (found) pair = std::move(*found);
    return found.has_value();
  }

  LineReader reader_;
  std::string line_;
};

class AlignedPairs final : public FilePairs {
 public:
  AlignedPairs(const std::string& source_path, const std::string& target_path)
      : FilePairs(source_path), source_(source_path), target_(target_path) {}

 private:
  bool read(SentencePair& pair) override {
    while (next_lines()) {
      pair = {clean_sentence(source_line_), clean_sentence(target_line_)};
      if (is_pair(pair, source_, target_)) return true;
    }
    return false;
  }
  void begin() override {
    source_.rewind();
    target_.rewind();
  }

  bool next_lines() {
    const bool more_source = source_.next(source_line_), more_target = target_.next(target_line_);
    if (more_source == more_target) return more_source;
    while (source_.next(source_line_)) {
    }
    while (target_.next(target_line_)) {
    }
    throw FileError(source_.path(), text("the files must have the same number of lines: ", source_.number(),
                                         " here, ", target_.number(), " in ", target_.path()));
  }

  LineReader source_, target_;
  std::string source_line_, target_line_;
};

std::vector<SentencePair> all_of(PairStream&& stream) {
  std::vector<SentencePair> pairs;
  for (SentencePair pair; stream.next(pair);) pairs.push_back(std::move(pair));
  return pairs;
}

bool can_be_read_again(const std::string& path) { return std::filesystem::is_regular_file(path_of(path)); }

}  // namespace

std::string clean_sentence(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\uFEFF";
  std::string plain = plain_spaces(line);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c >= '\t' && c <= '\r'; }, ' ');
  std::string_view rest = plain;
  const auto drop = [&](std::string_view start) {
    const bool found = rest.substr(0, start.size()) == start;
    if (found) rest.remove_prefix(start.size());
    return found;
  };
  while (drop(" ") || drop(byte_order_mark)) continue;  // in any order
  rest = rest.substr(0, rest.find_last_not_of(' ') + 1);
  return is_blank(rest) ? "" : std::string(rest);
}

std::vector<SentencePair> read_tsv(const std::string& path) { return all_of(TsvPairs(path)); }

std::vector<SentencePair> read_aligned(const std::string& source_path, const std::string& target_path) {
  return all_of(AlignedPairs(source_path, target_path));
}

std::optional<SentencePair> pair_of_line(std::string_view line, const std::string& path, Index number) {
  const auto fail = [&](const std::string& problem) -> FileError {
    return FileError::at_line(path, number, problem);
  };
  if (const auto byte = first_invalid_byte(line))
    throw fail(text("the text must be valid UTF-8: byte ", *byte, " of the line is not"));
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos) {
    if (!clean_sentence(line).empty())
      throw fail("no tab between source and target: a line must look like \"Hello.<tab>Bonjour.\"");
    return std::nullopt;
  }
  const auto end = line.find('\t', tab + 1);
  SentencePair pair{
      clean_sentence(line.substr(0, tab)),
      clean_sentence(line.substr(tab + 1, end == std::string_view::npos ? end : end - tab - 1))};
  if (pair.source.empty() && pair.target.empty()) return std::nullopt;
  if (pair.source.empty()) throw fail("the source sentence is empty");
  if (pair.target.empty()) throw fail("the target sentence is empty");
  return pair;
}

std::unique_ptr<PairStream> open_tsv(const std::string& path) {
  if (can_be_read_again(path)) return std::make_unique<TsvPairs>(path);
  return std::make_unique<ListStream<SentencePair>>(read_tsv(path));
}

std::unique_ptr<PairStream> open_aligned(const std::string& source_path, const std::string& target_path) {
  if (can_be_read_again(source_path) && can_be_read_again(target_path))
    return std::make_unique<AlignedPairs>(source_path, target_path);
  return std::make_unique<ListStream<SentencePair>>(read_aligned(source_path, target_path));
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

Index count_words(std::string_view sentence) {
  bool inside = false;
  return std::count_if(sentence.begin(), sentence.end(), [&](char c) {
    const bool was_inside = std::exchange(inside, c != ' ' && c != '\t');
    return inside && !was_inside;
  });
}

}  // namespace gradual
