#include <gradual/core/random.hpp>

#include <cmath>
#include <numeric>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {

std::uint64_t Random::next_u64() {
  std::uint64_t z = state_->seed + ++state_->position * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

double Random::normal() {
  const double radius =
      std::sqrt(-2 * std::log(1 - uniform()));  // 1 - u lies in (0, 1]: the logarithm is finite
  return radius * std::cos(6.283185307179586 * uniform());
}

Index Random::below(Index bound) {
  if (bound <= 0) throw std::invalid_argument(text("below: the bound must be positive: got ", bound));
  const auto n = static_cast<std::uint64_t>(bound);
  const std::uint64_t largest_multiple = UINT64_MAX - UINT64_MAX % n;
  std::uint64_t draw = next_u64();
  while (draw >= largest_multiple) draw = next_u64();
  return static_cast<Index>(draw % n);
}

std::vector<Index> Random::permutation(Index count) {
  if (count < 0)
    throw std::invalid_argument(text("permutation: the count must not be negative: got ", count));
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index(0));
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(below(static_cast<Index>(i)))]);
  return order;
}

}  // namespace gradual
