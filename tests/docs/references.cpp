// Checks that what a chapter cites is listed where it ends: `references CHAPTER.md...`. A citation is a name
// and a year, as in "Cho et al. 2014" or "Vaswani et al. (2017)"; under the heading "In the source" an entry
// must have both.
#include <iostream>
#include <set>

#include "sections.hpp"

namespace {

bool is_year(const std::string& word) {
  return word.size() == 4 && word.find_first_not_of("0123456789") == std::string::npos &&
         (starts_with(word, "18") || starts_with(word, "19") || starts_with(word, "20"));
}

// The words of a text, without marks around them; a mark that ends an entry or a citation is a word of its
// own.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ';' || c == '*' || c == '.')
      words.insert(words.end(), {std::string(1, c), ""});
    else if (std::string(" ,()[]\"'").find(c) != std::string::npos)
      words.push_back("");
    else
      words.back() += c;
  }
  std::vector<std::string> result;
  for (const std::string& word : words)
    if (!word.empty()) result.push_back(word);
  return result;
}

bool is_name(const std::string& word) {
  static const std::set<std::string> others = {"In", "Since", "Of", "November"};
  const unsigned char first = static_cast<unsigned char>(word[0]);
  return word.size() > 1 && (std::isupper(first) || first >= 0x80) && others.count(word) == 0;
}

// The citations "Name 2014" of a text, the last name of several.
std::set<std::string> citations_of(const std::string& text) {
  std::set<std::string> citations;
  const std::vector<std::string> words = words_of(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_year(words[i])) continue;
    std::size_t name = i - 1;
    if (words[name] == "." && name >= 3 && words[name - 1] == "al") name -= 3;  // Name et al.
    if (is_name(words[name])) citations.insert(words[name] + " " + words[i]);
  }
  return citations;
}

// Whether a listed entry has the name and, before the next entry, the year.
bool lists(const std::vector<std::string>& list, const std::string& citation) {
  const std::string name = citation.substr(0, citation.find(' ')), year = citation.substr(name.size() + 1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != name) continue;
    for (std::size_t j = i; j < list.size() && list[j] != ";" && list[j] != "-"; ++j)
      if (list[j] == year) return true;
  }
  return false;
}

bool check(const std::string& path) {
  const std::vector<Section> sections = sections_of(read_page(path));
  const Section* source = find_section(sections, "in-the-source");
  if (!source) throw std::runtime_error(path + ": there is no heading \"In the source\"");
  const std::string& all = sections.front().prose;
  const std::string text = all.substr(0, all.find("## In the source"));
  const std::vector<std::string> list = words_of(source->prose);
  bool good = true;
  for (const std::string& citation : citations_of(text)) {
    if (lists(list, citation)) continue;
    std::cerr << path << ": " << citation << " is cited and not listed\n";
    good = false;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; ++i) {
    try {
      good = check(argv[i]) && good;
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      good = false;
    }
  }
  return good ? 0 : 1;
}
