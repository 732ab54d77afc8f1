#include <gradual/nn/interchange/byte_pairs.hpp>

#include <array>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/interchange/tokens_by_id.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

enum class Kind { space, letter, number, other };
Kind kind_of(char32_t c) {
  if (is_letter(c)) return Kind::letter;
  if (is_number(c)) return Kind::number;
  return is_space(c) && !(c >= 0x1C && c <= 0x1F) ? Kind::space : Kind::other;
}

// How long the contraction is that begins at `first`; 0 where there is none.
std::size_t contraction(std::u32string_view letters, std::size_t first) {
  for (const std::u32string_view each : {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"})
    if (letters.substr(first, each.size()) == each) return each.size();
  return 0;
}

// Each byte as the character that vocab.json writes for it: itself where that is visible, else one behind
// Latin-1.
const std::array<std::string, 256>& signs_of_bytes() {
  static const std::array<std::string, 256> signs = [] {
    std::array<std::string, 256> result;
    char32_t next = 256;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool visible = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
      const char32_t sign = visible ? byte : next++;
      result[byte] = encode_utf8(std::u32string_view(&sign, 1));
    }
    return result;
  }();
  return signs;
}

}  // namespace

std::vector<std::string> split_as_gpt2(std::string_view text) {
  const std::u32string decoded = decode_utf8(text);
  const std::u32string_view letters = decoded;
  std::vector<std::string> pieces;
  for (std::size_t first = 0; first < letters.size();) {
    std::size_t end = first + contraction(letters, first);
    if (end == first) {
      std::size_t begin = first;
      if (letters[first] == ' ' && first + 1 < letters.size() && kind_of(letters[first + 1]) != Kind::space)
        ++begin;
      const Kind kind = kind_of(letters[begin]);
      end = begin + 1;
      while (end < letters.size() && kind_of(letters[end]) == kind) ++end;
      // The last space goes with the word behind it.
      if (kind == Kind::space && end < letters.size() && end - first > 1) --end;
    }
    pieces.push_back(encode_utf8(letters.substr(first, end - first)));
    first = end;
  }
  return pieces;
}

BytePairs::BytePairs(const std::string& vocabulary_json) {
  tokens_ = tokens_by_id("byte pairs", read_json(vocabulary_json));
  for (const std::string& token : tokens_) ids_.emplace(token, static_cast<std::int32_t>(ids_.size()));
  for (const std::string& sign : signs_of_bytes())
    if (ids_.count(sign) == 0)
      throw std::invalid_argument("byte pairs: the vocabulary must have each byte: it lacks " + sign);
}

void BytePairs::set_merges(const std::string& merges) {
  ranks_.clear();
  std::istringstream lines(merges);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.rfind("#version", 0) == 0) continue;
    const auto space = line.find(' ');
    if (space == std::string::npos || ids_.count(line.substr(0, space) + line.substr(space + 1)) == 0)
      throw std::invalid_argument("byte pairs: a merge must make a token of the vocabulary: \"" + line +
                                  "\" makes none");
    ranks_.emplace(line, static_cast<Index>(ranks_.size()));
    if (lines.eof())  // what is left of a longer merge makes a token, too
      throw std::invalid_argument("byte pairs: each merge must end its line: the last, \"" + line +
                                  "\", does not, so that the text may have been cut");
  }
}

std::vector<std::int32_t> BytePairs::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  for (const std::string& piece : split_as_gpt2(text)) {
    std::vector<std::string> parts;
    for (const char c : piece) parts.push_back(signs_of_bytes()[static_cast<unsigned char>(c)]);
    while (parts.size() > 1) {
      std::size_t best = parts.size();
      Index rank = 0;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto found = ranks_.find(parts[i] + " " + parts[i + 1]);
        if (found == ranks_.end() || (best < parts.size() && found->second >= rank)) continue;
        best = i;
        rank = found->second;
      }
      if (best == parts.size()) break;
      // That pair, wherever it stands.
      const std::string left = parts[best], right = parts[best + 1];
      std::vector<std::string> merged;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool pair = i + 1 < parts.size() && parts[i] == left && parts[i + 1] == right;
        merged.push_back(pair ? left + right : parts[i]);
        if (pair) ++i;
      }
      parts = std::move(merged);
    }
    for (const std::string& part : parts) ids.push_back(ids_.at(part));
  }
  return ids;
}

std::string BytePairs::decode(const std::vector<std::int32_t>& ids) const {
  static const std::map<std::string, char> bytes = [] {
    std::map<std::string, char> result;
    for (std::size_t byte = 0; byte < 256; ++byte) result[signs_of_bytes()[byte]] = static_cast<char>(byte);
    return result;
  }();
  std::string text_bytes;
  for (const std::int32_t id : ids) {
    if (id < 0 || id >= size())
      throw std::invalid_argument(text("byte pairs: an id must be below ", size(), ": got ", id));
    for (const std::string& sign : split_characters(tokens_[static_cast<std::size_t>(id)])) {
      const auto byte = bytes.find(sign);
      text_bytes += byte == bytes.end() ? sign : std::string(1, byte->second);
    }
  }
  return text_bytes;
}

}  // namespace gradual
