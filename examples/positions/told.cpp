#include "told.hpp"

#include <map>

Told told(const std::string& kind) {
  static const std::map<std::string, Told> known = {
      {"sinusoidal",
       {"waves, added to each item",
        "a list of waves is added to the item's list: sines and cosines of its place, some fast, some slow",
        "the waves go on, but together they make lists that were never met in training"}},
      {"learned",
       {"learnt numbers, added to items", "a list that is learnt for each place is added to the item's list",
        "no training step has touched the lists of the later places"}},
      {"relative",
       {"a learnt number, added to scores", "a number that is learnt for each distance is added to the score",
        "all distances beyond a certain one share one number: far and farther look alike"}},
      {"alibi",
       {"less score, the farther back", "for each place back the score falls, in each head at another rate",
        "what is farther counts less, at any distance"}},
      {"rotary",
       {"items turned, place by place",
        "pairs of an item's numbers are turned like clock hands, farther at each place, so that a score "
        "depends on the distance",
        "pairs of numbers are turned by angles that were never met in training"}},
      {"none",
       {"nothing",
        "places look alike: only what an item says counts, and a value that came more often gets more weight "
        "in all",
        "nothing is new, but the last value cannot be told from the first"}}};
  const auto found = known.find(kind);
  return found == known.end() ? Told{} : found->second;
}
