#include <gradual/nn/data/labelled_texts.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

// Latin-1 is the first 256 code points, a byte each.
std::string from_latin1(const std::string& bytes) {
  std::u32string code_points;
  for (const char byte : bytes) code_points.push_back(static_cast<unsigned char>(byte));
  return encode_utf8(code_points);
}

std::vector<std::string> distinct(const std::vector<LabelledText>& texts, std::string LabelledText::*field) {
  std::set<std::string> names;
  for (const LabelledText& each : texts) names.insert(each.*field);
  return {names.begin(), names.end()};
}

std::string in_lower_case(const LabelledText& labelled) {
  std::string all;
  for (const std::string& word : labelled.words) all += lower_case(word) + ' ';
  return all;
}

}  // namespace

std::vector<LabelledText> read_labelled_texts(const std::string& path) {
  std::ifstream file = open_lines(path);
  std::vector<LabelledText> texts;
  std::string line;
  for (std::int64_t number = 1; read_line(file, line, path, number); ++number) {
    std::istringstream parts(first_invalid_byte(line) ? from_latin1(line) : line);
    LabelledText labelled;
    labelled.line = number;
    if (!(parts >> labelled.kind)) continue;
    labelled.label = labelled.kind.substr(0, labelled.kind.find(':'));
    for (std::string word; parts >> word;) labelled.words.push_back(word);
    if (labelled.label.empty() || labelled.words.empty())
      throw FileError::at_line(path, number, "a line must be a label and words: got \"" + parts.str() + "\"");
    texts.push_back(std::move(labelled));
  }
  if (texts.empty()) throw FileError(path, "there must be at least one line `LABEL words`");
  return texts;
}

std::vector<std::string> labels_of(const std::vector<LabelledText>& texts) {
  return distinct(texts, &LabelledText::label);
}

std::vector<std::string> kinds_of(const std::vector<LabelledText>& texts) {
  return distinct(texts, &LabelledText::kind);
}

std::vector<Index> split_into_parts(const std::vector<LabelledText>& texts, Index parts, std::uint64_t seed) {
  if (parts < 2) throw std::invalid_argument(text("split: there must be at least two parts: got ", parts));
  std::map<std::string, Index> number;  // of each distinct text, in the order in which they come
  std::vector<Index> result;
  for (const LabelledText& each : texts)
    result.push_back(number.emplace(in_lower_case(each), static_cast<Index>(number.size())).first->second);
  const std::vector<Index> order = Random(seed).permutation(static_cast<Index>(number.size()));
  for (Index& each : result) each = order[static_cast<std::size_t>(each)] % parts;
  return result;
}

}  // namespace gradual
