// What a beam search explored.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A word that the search looked at.
struct BeamNode {
  enum class Fate { kept, ended, pruned };

  std::int32_t token;      // the word
  Index parent;            // the node of the word before; -1: none, the root
  Index step;              // how many words stand before it; -1: the root, which is the begin token
  Index rank;              // its place among the candidates of its step, from 0
  double log_probability;  // of all words up to here
  Fate fate;               // what became of it
};

/// The words that the search looked at for one sentence: in each step the best candidates, at most
/// 2·beam_size, and beam_size + 1 in the first. Parents stand before their children.
struct BeamTree {
  std::vector<BeamNode> nodes;  // each behind the one that it goes on from
  std::vector<Index> results;   // the last node of each hypothesis that was returned
};

}  // namespace gradual
