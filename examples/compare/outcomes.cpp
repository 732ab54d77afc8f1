#include "outcomes.hpp"

#include <algorithm>

#include "../mean_and_spread.hpp"
#include "../ranked.hpp"

const Outcome* find(const std::vector<Outcome>& ways, const std::string& name) {
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const Outcome& each) { return each.name == name; });
  return found == ways.end() ? nullptr : &*found;
}

const Outcome* most_exact(const std::vector<Outcome>& ways) {
  const auto best = std::max_element(ways.begin(), ways.end(),
                                     [](const auto& a, const auto& b) { return a.exact < b.exact; });
  return best == ways.end() || best->exact == 0 ? nullptr : &*best;
}

std::vector<const Outcome*> ranked(const std::vector<Outcome>& ways) {
  return ranked(ways, [](const Outcome& way) { return way.exact; });
}

bool are_level(const Outcome& a, const Outcome& b, std::size_t sentences) {
  return may_be_chance(a.exact, b.exact, static_cast<double>(sentences));
}

bool is_behind(const Outcome& way, const Outcome& other, std::size_t sentences) {
  return way.exact < other.exact && !are_level(way, other, sentences);
}

bool is_sure_early(const Outcome& way) {
  constexpr double often = 0.1;
  return way.sure_before >= often;
}
