#include "documents.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

std::vector<Document> read_documents(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw FileError(path, "cannot be read");
  std::vector<Document> documents;
  std::string line;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    if (const auto byte = first_invalid_byte(line))
      throw FileError::at_line(path, number,
                               text("the text must be UTF-8: byte ", *byte + 1, " begins no character"));
    std::istringstream pieces(line);
    Document document;
    pieces >> document.label;
    for (std::string word; pieces >> word;) document.words.push_back(word);
    if (document.label.empty()) continue;  // an empty line
    document.label = document.label.substr(0, document.label.find(':'));
    if (document.label.empty() || document.words.empty())
      throw FileError::at_line(path, number, "a line must be `LABEL text`: got \"" + line + "\"");
    documents.push_back(std::move(document));
  }
  if (documents.empty()) throw FileError(path, "holds no document");
  return documents;
}

std::vector<Document> generate_reviews(Index count, Random random) {
  static const std::array<const char*, 10> things = {"plot",  "music",    "acting", "ending", "camera",
                                                     "story", "dialogue", "pace",   "cast",   "opening"};
  static const std::array<const char*, 8> facts = {
      "was written by two brothers", "comes from a short novel", "takes up half of the time",
      "was made in a small studio",  "changed during the year",  "reminds of an older film",
      "was shown in three cities",   "had a large budget"};
  static const std::array<const char*, 6> good = {"wonderful", "brilliant", "moving",
                                                  "clever",    "charming",  "superb"};
  static const std::array<const char*, 6> bad = {"dull", "awful", "clumsy", "boring", "tiresome", "shallow"};
  const auto any = [&](const auto& words) {
    return words[static_cast<std::size_t>(random.below(static_cast<Index>(words.size())))];
  };
  std::vector<Document> reviews;
  for (Index i = 0; i < count; ++i) {
    const Index kind = random.below(3);  // praise, complaint, neither
    const bool praise = kind == 0, negated = random.below(3) == 0;
    const Index sentences = 2 + random.below(4), verdict = random.below(sentences);
    std::string content;
    for (Index s = 0; s < sentences; ++s) {
      content += text("the ", any(things), " ");
      if (s == verdict && kind != 2)
        content += text("was ", negated ? "not " : "", praise != negated ? any(good) : any(bad));
      else
        content += any(facts);
      content += " . ";
    }
    std::istringstream pieces(content);
    Document review{kind == 2 ? "neither" : praise ? "praise" : "complaint", {}};
    for (std::string word; pieces >> word;) review.words.push_back(word);
    reviews.push_back(std::move(review));
  }
  return reviews;
}

std::vector<std::string> labels_of(const std::vector<Document>& documents) {
  std::set<std::string> labels;
  for (const Document& document : documents) labels.insert(document.label);
  return {labels.begin(), labels.end()};
}

DocumentSplit split_documents(const std::vector<Document>& documents, double held_out_share, Random random) {
  std::map<std::string, std::vector<Index>> of_label;
  for (const Index i : random.permutation(static_cast<Index>(documents.size())))
    of_label[documents[static_cast<std::size_t>(i)].label].push_back(i);
  std::set<Index> apart;
  for (const auto& [label, places] : of_label) {
    const auto count = static_cast<std::size_t>(held_out_share * static_cast<double>(places.size()));
    apart.insert(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count));
  }
  DocumentSplit split;
  for (std::size_t i = 0; i < documents.size(); ++i)
    (apart.count(static_cast<Index>(i)) > 0 ? split.held_out : split.train).push_back(documents[i]);
  return split;
}
