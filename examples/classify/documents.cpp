#include "documents.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

std::int32_t place_of(const std::string& name, const std::vector<std::string>& names) {
  return static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

Documents generate_reviews(Index count, Random random) {
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
  Documents reviews;
  for (Index i = 0; i < count; ++i) {
    LabelledText review;
    review.label = "neither";
    std::string content;
    for (Index s = 2 + random.below(4); s > 0; --s) {
      content += text("the ", any(things), " ");
      if (random.below(2) == 0) {
        content += any(facts);
      } else {
        const bool praise = random.below(2) == 0, negated = random.below(3) == 0;
        content += text("was ", negated ? "not " : "", praise != negated ? any(good) : any(bad));
        review.label = praise ? "praise" : "complaint";
      }
      content += " . ";
    }
    review.kind = review.label;
    review.line = i + 1;
    std::istringstream pieces(content);
    for (std::string word; pieces >> word;) review.words.push_back(word);
    reviews.push_back(std::move(review));
  }
  return reviews;
}

LabelNames::LabelNames(const Documents& documents)
    : labels(labels_of(documents)), kinds(kinds_of(documents)), label_of_kind(kinds.size()) {
  if (labels.size() < 2)
    throw std::invalid_argument("classify: there must be at least two labels to tell apart");
  for (const LabelledText& each : documents)
    label_of_kind[static_cast<std::size_t>(kind_number(each))] = static_cast<std::size_t>(label_number(each));
}

std::int32_t LabelNames::label_number(const LabelledText& document) const {
  return place_of(document.label, labels);
}

std::int32_t LabelNames::kind_number(const LabelledText& document) const {
  return place_of(document.kind, kinds);
}

std::vector<Index> parts_of(const Documents& documents, Index parts, std::uint64_t seed) {
  const std::vector<Index> result = split_into_parts(documents, parts, seed);
  const Index filled = 1 + *std::max_element(result.begin(), result.end());  // the first ones, one each
  if (filled < parts)
    throw std::invalid_argument(text("classify: each part must have a document: got ", filled,
                                     " different documents for ", parts, " parts"));
  return result;
}

DocumentSplit keep_part(const Documents& documents, const std::vector<Index>& parts, Index part) {
  DocumentSplit split;
  for (std::size_t i = 0; i < documents.size(); ++i)
    (parts[i] == part ? split.held_out : split.train).push_back(documents[i]);
  return split;
}
