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

bool is_one_of(const std::array<const char*, 6>& words, const std::string& word) {
  return std::count(words.begin(), words.end(), word) > 0;
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

std::vector<ReviewVerdict> verdicts(const LabelledText& review) {
  const std::vector<std::string>& words = review.words;
  std::vector<ReviewVerdict> found;
  ReviewVerdict sentence;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool praises = is_one_of(good, words[i]);
    if (praises || is_one_of(bad, words[i])) {
      const bool negated = i > sentence.begin && words[i - 1] == "not";
      sentence.label = praises != negated ? "praise" : "complaint";
    }
    sentence.end = i + 1;
    if (words[i] != "." && sentence.end < words.size()) continue;
    if (!sentence.label.empty()) found.push_back(sentence);
    sentence = {"", i + 1, i + 1};
  }
  return found;
}

std::pair<std::size_t, std::size_t> last_verdict(const LabelledText& review) {
  const std::vector<ReviewVerdict> all = verdicts(review);
  if (all.empty()) return {review.words.size(), review.words.size()};
  return {all.back().begin, all.back().end};
}

}  // namespace gradual
