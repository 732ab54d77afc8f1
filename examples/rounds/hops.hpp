// The way of an answer, drawn: from the name that is asked about back to what the rounds bring it from.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>

/// The tokens in a row and, for the place `asked`, where each round looks: arcs above the row for the last
/// round, below for the one before it, by the head of each that is surest, as thick as their weights. Weights
/// below 0.1 have none. Tokens are `apart` pixels from one another.
std::string draw_hops(const std::vector<gradual::RecordedAttention>& rounds,
                      const std::vector<std::string>& tokens, gradual::Index asked, double apart);
