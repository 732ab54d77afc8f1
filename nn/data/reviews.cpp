#include <gradual/nn/data/reviews.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

constexpr std::array<const char*, 6> good = {"wonderful", "brilliant", "moving",
                                             "clever",    "charming",  "superb"};
constexpr std::array<const char*, 6> bad = {"dull", "awful", "clumsy", "boring", "tiresome", "shallow"};

bool judges(const std::string& word) {
  return std::count(good.begin(), good.end(), word) + std::count(bad.begin(), bad.end(), word) > 0;
}

}  // namespace

std::vector<LabelledText> draw_reviews(Index count, Random random) {
  static const std::array<const char*, 10> things = {"plot",  "music",    "acting", "ending", "camera",
                                                     "story", "dialogue", "pace",   "cast",   "opening"};
  static const std::array<const char*, 8> facts = {
      "was written by two brothers", "comes from a short novel", "takes up half of the time",
      "was made in a small studio",  "changed during the year",  "reminds of an older film",
      "was shown in three cities",   "had a large budget"};
  const auto any = [&](const auto& words) {
    return words[static_cast<std::size_t>(random.below(static_cast<Index>(words.size())))];
  };
  std::vector<LabelledText> reviews;
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

std::pair<std::size_t, std::size_t> last_verdict(const LabelledText& review) {
  const std::vector<std::string>& words = review.words;
  const auto judging = std::find_if(words.rbegin(), words.rend(), judges);
  if (judging == words.rend()) return {words.size(), words.size()};
  const auto begin = std::find(judging, words.rend(), ".").base(),
             end = std::find(judging.base(), words.end(), ".");
  const auto at = [&](auto word) { return static_cast<std::size_t>(word - words.begin()); };
  return {at(begin), at(end) + (end == words.end() ? 0 : 1)};
}

}  // namespace gradual
