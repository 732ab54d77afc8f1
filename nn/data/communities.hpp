// A graph in which some neighbours deserve attention and others do not.
#pragma once

#include <cstdint>

#include <gradual/nn/data/labelled_graph.hpp>

namespace gradual {

/// How large the graph is, and how loud.
struct CommunitySettings {
  Index communities = 4, people = 100;    // people of each community
  Index friends = 2;                      // whom a person writes to
  Index advertisers = 80, readers = 100;  // whom an advertiser writes to
  Index taught = 25;                      // people of each community whose community is told
};

/// People write to some of their community, and advertisers write to people of all. What is to be learnt is
/// the community of each person; an advertiser has none.
///
/// A person has one of the twenty topics of the community and two of any; an advertiser has eight topics of
/// one community, drawn by lot, and four offers, which people never have. So a person's features say little,
/// those of the friends together say much, and most neighbours, who speak loudest, say nothing: but what they
/// are is plain to see.
///
/// Nodes are people, community by community, then advertisers. Throws std::invalid_argument unless all
/// numbers are positive and a community has people who are not taught.
LabelledGraph make_communities(const CommunitySettings& settings, std::uint64_t seed);

}  // namespace gradual
