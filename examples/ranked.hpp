// The best first.
#pragma once

#include <algorithm>
#include <vector>

/// All of them, where they stand, by a figure of each, the greatest first; equal ones in their order.
template <class Item, class Figure>
std::vector<const Item*> ranked(const std::vector<Item>& items, Figure figure) {
  std::vector<const Item*> ranking;
  for (const Item& each : items) ranking.push_back(&each);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](const Item* a, const Item* b) { return figure(*a) > figure(*b); });
  return ranking;
}
