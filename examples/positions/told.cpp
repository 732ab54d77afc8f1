#include "told.hpp"

#include <map>

Told told(const std::string& kind) {
  static const std::map<std::string, Told> known = {
      {"sinusoidal",
       {"fixed waves of each place", "a list of as many numbers, waves of the place, is added to the item's",
        "the waves go on, but together they make lists that were never met in training"}},
      {"learned",
       {"learnt numbers of each place",
        "a list of numbers that is learnt for each place is added to the item's",
        "no training step has touched the lists of the later places"}},
      {"relative",
       {"a learnt number of each distance", "a number that is learnt for each distance is added to the score",
        "all distances beyond a certain one share one number: far and farther look alike"}},
      {"alibi",
       {"a lower score, the farther back",
        "for each place back the score falls, in each head at another rate",
        "what is farther counts less, at any distance"}},
      {"rotary",
       {"an angle of each place",
        "pairs of an item's numbers are turned like clock hands, farther at each place, so that a score "
        "depends on the distance",
        "the hands, pairs of numbers, stand at angles that were never met in training"}},
      {"none",
       {"nothing", "all items before look alike; what came more often gets more weight in all",
        "nothing is new, but the last value cannot be told from the first"}}};
  const auto found = known.find(kind);
  return found == known.end() ? Told{} : found->second;
}
