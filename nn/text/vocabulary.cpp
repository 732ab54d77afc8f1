#include <gradual/nn/text/vocabulary.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
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

constexpr std::string_view reserved[] = {"<pad>", "<bos>", "<eos>", "<unk>"};
constexpr Index reserved_count = std::size(reserved);

constexpr std::string_view header_start = "# gradual vocabulary 1: ";
constexpr std::string_view header_end = " tokens in the order of their ids, each with its count";

constexpr std::pair<char, char> escapes[] = {{'\\', '\\'}, {' ', 's'}, {'\t', 't'}, {'\n', 'n'}, {'\r', 'r'}};

std::string escape(const std::string& token) {
  std::string escaped;
  for (const char c : token) {
    const auto found =
        std::find_if(std::begin(escapes), std::end(escapes), [c](auto e) { return e.first == c; });
    if (found == std::end(escapes)) {
      escaped += c;
    } else {
      escaped += {'\\', found->second};
    }
  }
  return escaped;
}

std::optional<std::string> unescape(std::string_view escaped) {
  std::string token;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\') {
      token += escaped[i];
      continue;
    }
    if (++i == escaped.size()) return std::nullopt;
    const char letter = escaped[i];
    const auto found =
        std::find_if(std::begin(escapes), std::end(escapes), [letter](auto e) { return e.second == letter; });
    if (found == std::end(escapes)) return std::nullopt;
    token += found->first;
  }
  return token;
}

std::optional<Index> parse_number(std::string_view digits) {
  Index number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return std::nullopt;
  return number;
}

bool next_line(std::ifstream& file, std::string& line, const std::string& path, Index number) {
  if (!read_line(file, line, path, number)) return false;
  if (!line.empty() && line.back() == '\r')
    line.pop_back();  // a Windows line end; one inside a token is escaped
  return true;
}

/// The number of tokens that the first line of a file announces.
Index parse_header(const std::string& path, std::string_view line) {
  const bool framed = line.size() >= header_start.size() + header_end.size() &&
                      line.substr(0, header_start.size()) == header_start &&
                      line.substr(line.size() - header_end.size()) == header_end;
  std::optional<Index> size;
  if (framed) {
    line.remove_prefix(header_start.size());
    line.remove_suffix(header_end.size());
    size = parse_number(line);
  }
  if (!size) {
    throw FileError(path,
                    text("not a vocabulary: the first line must be `", header_start, "N", header_end, "`"));
  }
  return *size;
}

std::pair<std::string, Index> parse_entry(const std::string& path, Index line_number, std::string_view line) {
  if (const auto byte = first_invalid_byte(line)) {
    throw FileError::at_line(path, line_number, text("byte ", *byte, " of the line is not valid UTF-8"));
  }
  const auto tab = std::min(line.rfind('\t'), line.size());
  const auto token = unescape(line.substr(0, tab));
  const auto count = parse_number(line.substr(std::min(tab + 1, line.size())));
  if (!token || !count) {
    throw FileError::at_line(path, line_number, "the line must be `token TAB count`");
  }
  return {*token, *count};
}

}  // namespace

std::string Vocabulary::try_add(const std::string& token, Index count) {
  const auto id = static_cast<std::int32_t>(size());
  if (id < reserved_count && token != reserved[id]) {
    return text("token ", id, " must be ", reserved[id], ": it is \"", token, "\"");
  }
  if (token.empty()) return text("token ", id, " must not be empty");
  const auto [place, is_new] = ids_.emplace(token, id);
  if (!is_new)
    return text("token ", id, " must not stand twice: \"", token, "\" is token ", place->second, " already");
  tokens_.push_back(token);
  counts_.push_back(count);
  return "";
}

std::string Vocabulary::problem() const {
  if (size() >= reserved_count) return "";
  return text("the reserved tokens must come first: ", reserved[size()], " is missing");
}

Vocabulary::Vocabulary(const std::vector<std::string>& tokens) {
  const auto require = [](const std::string& problem) {
    if (!problem.empty()) throw std::invalid_argument("Vocabulary: " + problem);
  };
  for (const std::string& token : tokens) require(try_add(token, 0));
  require(problem());
}

Vocabulary Vocabulary::build(const std::vector<std::vector<std::string>>& sentences, Index min_count,
                             Index max_size) {
  TokenCounts counts;
  for (const auto& sentence : sentences) {
    for (const std::string& token : sentence) ++counts[token];
  }
  return from_counts(counts, min_count, max_size);
}

Vocabulary Vocabulary::from_counts(const TokenCounts& counts, Index min_count, Index max_size) {
  if (max_size < reserved_count) {
    throw std::invalid_argument(text("Vocabulary::build: max_size must leave room for the ", reserved_count,
                                     " reserved tokens: max_size is ", max_size));
  }
  if (counts.count("") > 0) throw std::invalid_argument("Vocabulary::build: a token must not be empty");

  Vocabulary vocabulary;
  for (const std::string_view name : reserved) vocabulary.try_add(std::string(name), 0);
  std::vector<std::pair<std::string, Index>> ranked;
  for (const auto& [token, count] : counts) {
    if (count >= min_count && !vocabulary.contains(token)) ranked.emplace_back(token, count);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [token, count] : ranked) {
    if (vocabulary.size() == max_size) break;
    vocabulary.try_add(token, count);
  }
  return vocabulary;
}

Vocabulary Vocabulary::load(const std::string& path) {
  std::ifstream file(path_of(path), std::ios::binary);
  std::string line;
  if (!file || (!next_line(file, line, path, 1) && file.bad())) {
    throw FileError(path, text("cannot be read: ", std::strerror(errno)));
  }
  const Index announced = parse_header(path, line);

  Vocabulary vocabulary;
  while (next_line(file, line, path, vocabulary.size() + 2)) {
    const Index line_number = vocabulary.size() + 2;
    // Without its line end, the last count may have lost digits.
    if (file.eof())
      throw FileError::at_line(path, line_number, "the file was cut short: it ends inside this line");
    const auto [token, count] = parse_entry(path, line_number, line);
    const std::string problem = vocabulary.try_add(token, count);
    if (!problem.empty()) throw FileError::at_line(path, line_number, problem);
  }
  if (vocabulary.size() != announced) {
    throw FileError(path, text("the first line must tell the number of tokens: it says ", announced,
                               ", there are ", vocabulary.size(), "; was the file cut short?"));
  }
  const std::string problem = vocabulary.problem();
  if (!problem.empty()) throw FileError(path, problem);
  return vocabulary;
}

void Vocabulary::save(const std::string& path) const {
  std::string bytes = text(header_start, size(), header_end, "\n");
  for (std::size_t id = 0; id < tokens_.size(); ++id)
    bytes += text(escape(tokens_[id]), "\t", counts_[id], "\n");
  write_file_atomically(path, bytes);
}

void Vocabulary::require_id(const char* operation, std::int32_t id) const {
  if (id >= 0 && id < size()) return;
  throw std::invalid_argument(text(operation, ": an id must be in 0 to ", size() - 1, ": the id is ", id));
}

const std::string& Vocabulary::token(std::int32_t id) const {
  require_id("Vocabulary::token", id);
  return tokens_[static_cast<std::size_t>(id)];
}

Index Vocabulary::count(std::int32_t id) const {
  require_id("Vocabulary::count", id);
  return counts_[static_cast<std::size_t>(id)];
}

std::vector<std::int32_t> Vocabulary::encode(const std::vector<std::string>& sentence) const {
  std::vector<std::int32_t> ids;
  ids.reserve(sentence.size());
  for (const std::string& token : sentence) {
    const auto found = ids_.find(token);
    ids.push_back(found == ids_.end() || found->second < reserved_count ? unknown : found->second);
  }
  return ids;
}

std::vector<std::string> Vocabulary::decode(const std::vector<std::int32_t>& ids) const {
  std::vector<std::string> sentence;
  for (const std::int32_t id : written(ids)) sentence.push_back(token(id));
  return sentence;
}

std::vector<std::int32_t> Vocabulary::written(const std::vector<std::int32_t>& ids) {
  std::vector<std::int32_t> result;
  for (const std::int32_t id : ids) {
    if (id == eos) break;
    if (id != pad && id != bos) result.push_back(id);
  }
  return result;
}

}  // namespace gradual
