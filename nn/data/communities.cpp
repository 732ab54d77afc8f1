#include <gradual/nn/data/communities.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

namespace gradual {
namespace {

constexpr Index topics = 20, offers = 20;  // topics of each community
constexpr Index own_topics = 1, any_topics = 2, advertised_topics = 8, made_offers = 4;

void check(const CommunitySettings& s) {
  if (std::min({s.communities, s.people, s.friends, s.advertisers, s.readers, s.taught}) < 1)
    throw std::invalid_argument("communities: all numbers must be positive");
  if (s.people - s.taught < 2)
    throw std::invalid_argument(
        text("communities: at least two people of each must not be taught: people are ", s.people,
             ", taught are ", s.taught));
}

// Adds `count` different numbers of first … first + range - 1 to a set.
void draw(std::set<Index>& numbers, Index count, Index first, Index range, Random& random) {
  const std::size_t size = numbers.size() + static_cast<std::size_t>(count);
  while (numbers.size() < size) numbers.insert(first + random.below(range));
}

class Builder {
 public:
  Builder(const CommunitySettings& settings, std::uint64_t seed) : settings_(settings), random_(seed) {}

  LabelledGraph build() {
    for (Index c = 0; c < settings_.communities; ++c) add_community(c);
    for (Index a = 0; a < settings_.advertisers; ++a) add_advertiser();
    const Shape shape{static_cast<Index>(from_.size())};
    return {neighbourhoods(static_cast<Index>(rows_.size()), Indices(shape, from_), Indices(shape, to_)),
            SparseRows(all_topics() + offers, rows_), settings_.communities, labels_, parts_};
  }

 private:
  Index all_topics() const { return settings_.communities * topics; }
  Index all_people() const { return settings_.communities * settings_.people; }

  void add_community(Index community) {
    const Index first = community * settings_.people;
    const Index judged = (settings_.taught + settings_.people) / 2;
    for (Index i = 0; i < settings_.people; ++i) {
      std::set<Index> words;
      draw(words, own_topics, community * topics, topics, random_);
      draw(words, any_topics, 0, all_topics(), random_);
      for (Index k = 0; k < settings_.friends; ++k)
        add_edge(first + i, first + random_.below(settings_.people));
      add_node(words, community,
               i < settings_.taught ? Part::train
               : i < judged         ? Part::validation
                                    : Part::test);
    }
  }

  void add_advertiser() {
    std::set<Index> words;
    draw(words, advertised_topics, random_.below(settings_.communities) * topics, topics, random_);
    draw(words, made_offers, all_topics(), offers, random_);
    const Index node = static_cast<Index>(rows_.size());
    for (Index k = 0; k < settings_.readers; ++k) add_edge(node, random_.below(all_people()));
    add_node(words, -1, Part::none);
  }

  // Each word has an equal share of its node.
  void add_node(const std::set<Index>& words, Index label, Part part) {
    std::vector<SparseEntry> row;
    for (Index word : words) row.push_back({word, 1 / static_cast<Real>(words.size())});
    rows_.push_back(std::move(row));
    labels_.push_back(static_cast<std::int32_t>(label));
    parts_.push_back(part);
  }

  void add_edge(Index a, Index b) {
    from_.push_back(static_cast<std::int32_t>(a));
    to_.push_back(static_cast<std::int32_t>(b));
  }

  CommunitySettings settings_;
  Random random_;
  std::vector<std::vector<SparseEntry>> rows_;
  std::vector<std::int32_t> labels_, from_, to_;
  std::vector<Part> parts_;
};

}  // namespace

LabelledGraph make_communities(const CommunitySettings& settings, std::uint64_t seed) {
  check(settings);
  return Builder(settings, seed).build();
}

}  // namespace gradual
