#include "told.hpp"

#include <map>

Told told(const std::string& kind) {
  static const std::map<std::string, Told> known = {
      {"sinusoidal",
       {"fixed waves of each place",
        "a list of as many numbers, waves of the place, is added to the item's"}},
      {"learned", {"learnt numbers of each place", "so is one that is learnt for each place"}},
      {"relative",
       {"a learnt number of each distance",
        "a number that is learnt for each distance is added to the score"}},
      {"alibi",
       {"less score for more distance", "for each place back the score falls, in each head at another rate"}},
      {"rotary",
       {"an angle of each place",
        "pairs of an item's numbers are turned like clock hands, farther at each place, so that a score "
        "depends on "
        "the distance"}},
      {"none", {"nothing", "all items before look alike; what came more often gets more weight in all"}}};
  const auto found = known.find(kind);
  return found == known.end() ? Told{} : found->second;
}

std::vector<std::pair<std::string, std::string>> how_told(const std::vector<LengthOutcome>& kinds) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const LengthOutcome& each : kinds)
    if (const Told its = told(each.positions); !its.how.empty()) all.emplace_back(each.positions, its.how);
  return all;
}
