// The way of an answer, drawn: from the name that is asked about back to what the rounds bring it from.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/attention_map.hpp>

/// What a place looks at.
struct Hop {
  gradual::Index from, to, head;
  double weight;
};

/// Weights below it are no hops.
constexpr double faintest_hop = 0.1;

/// What the place `asked` looks at in the last round, and what these places look at in the round before, each
/// by the head that is surest there.
std::vector<std::vector<Hop>> hops_of(const std::vector<gradual::RecordedAttention>& rounds,
                                      gradual::Index asked);

/// What is of a round, counted from 0, has its colour. Blue is not among them: it is that of all weights.
gradual::PictureColour colour_of(std::size_t round);

/// The tokens in a row and, for the place `asked`, where each round looks: arcs above the row for the last
/// round, below for the one before it, for each of hops_of, as thick as their weights, with the round's
/// label beside them where there is room. Tokens are `apart` pixels from one another.
std::string draw_hops(const std::vector<gradual::RecordedAttention>& rounds,
                      const std::vector<std::string>& labels, const std::vector<std::string>& tokens,
                      gradual::Index asked, double apart);
