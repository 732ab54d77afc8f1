// The generated graph is what it says it is.
#include <gradual/nn/data/communities.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

CommunitySettings small() {
  CommunitySettings settings;
  settings.communities = 3;
  settings.people = 20;
  settings.advertisers = 6;
  settings.readers = 30;
  settings.taught = 10;
  return settings;
}

}  // namespace

TEST_CASE("communities: people know people of their own alone, and advertisers no advertisers") {
  const LabelledGraph graph = make_communities(small(), 1);
  REQUIRE(graph.nodes() == 66);
  for (Index i = 0; i < graph.nodes(); ++i) {
    const std::int32_t label = graph.labels[static_cast<std::size_t>(i)];
    CHECK(label == (i < 60 ? i / 20 : -1));
    for (Index k = graph.edges.into(i).first; k < graph.edges.into(i).last; ++k) {
      const Index j = graph.edges.sources()[k];
      const std::int32_t other = graph.labels[static_cast<std::size_t>(j)];
      CHECK((j == i || (label >= 0 ? other == label || other == -1 : other >= 0)));
    }
  }
}

TEST_CASE("communities: only advertisers make offers, and they speak of one community alone") {
  const Tensor features = make_communities(small(), 1).features.dense();
  REQUIRE(features.shape() == Shape{66, 80});
  for (Index i = 0; i < 66; ++i) {
    const Real* row = features.data() + i * 80;
    const auto words = [&](Index first, Index last) {
      return std::count_if(row + first, row + last, [](Real share) { return share > 0; });
    };
    CHECK(words(60, 80) == (i < 60 ? 0 : 4));
    CHECK(words(0, 60) == (i < 60 ? 3 : 8));
    if (i < 60)
      CHECK(words(i / 20 * 20, i / 20 * 20 + 20) >= 1);
    else
      CHECK(std::max({words(0, 20), words(20, 40), words(40, 60)}) == 8);
  }
}

TEST_CASE("communities: each is spoken of by some of many advertisers") {
  CommunitySettings settings = small();
  settings.advertisers = 60;
  const Tensor features = make_communities(settings, 1).features.dense();
  std::vector<int> advertisers(3);
  for (Index i = 60; i < 120; ++i)
    for (std::size_t community = 0; community < 3; ++community) {
      const Real* topics = features.data() + i * 80 + static_cast<Index>(community) * 20;
      advertisers[community] += std::any_of(topics, topics + 20, [](Real share) { return share > 0; });
    }
  for (const int count : advertisers) CHECK(count > 0);  // a lot that leaves one out has 3·(2/3)⁶⁰, or 8e-11
}

TEST_CASE("communities: of each, half of those who are not taught stop training, half judge") {
  const LabelledGraph graph = make_communities(small(), 1);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::train) == 30);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::validation) == 15);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::test) == 15);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::none) == 6);
}

TEST_CASE("communities: the same seed gives the same graph, another seed another") {
  const auto features = [](std::uint64_t seed) { return make_communities(small(), seed).features.dense(); };
  CHECK(difference(features(1), features(1)) == "");
  CHECK(difference(features(1), features(2)) != "");
}

TEST_CASE("communities: sizes that cannot be are refused") {
  CommunitySettings settings;
  settings.friends = 0;
  CHECK_THROWS_AS(make_communities(settings, 1), std::invalid_argument);
  settings = CommunitySettings();
  settings.taught = settings.people - 1;
  CHECK_THROWS_WITH(
      make_communities(settings, 1),
      "communities: at least two people of each must not be taught: people are 100, taught are 99");
  settings.taught = settings.people - 2;  // one to stop training by, one to judge by
  const LabelledGraph graph = make_communities(settings, 1);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::validation) == settings.communities);
  CHECK(std::count(graph.parts.begin(), graph.parts.end(), Part::test) == settings.communities);
}
