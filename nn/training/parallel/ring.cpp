#include <gradual/nn/training/parallel/ring.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace gradual {

void sum_in_ring(int rank, int size, Real* numbers, Index count, const Exchange& exchange) {
  struct Part {
    Real* numbers;
    Index count;
  };
  const auto part = [&](int steps_back) {
    const int i = (rank - steps_back + 2 * size) % size;
    const Index first = count * i / size;
    return Part{numbers + first, count * (i + 1) / size - first};
  };
  std::vector<Real> arrived(static_cast<std::size_t>(count / size + 1));
  for (int step = 0; step < size - 1; ++step) {
    const Part out = part(step), in = part(step + 1);
    exchange(out.numbers, out.count, arrived.data(), in.count);
    std::transform(in.numbers, in.numbers + in.count, arrived.begin(), in.numbers, std::plus<>());
  }
  for (int step = -1; step < size - 2; ++step) {  // part(-1) is the one whose sum is whole here
    const Part out = part(step), in = part(step + 1);
    exchange(out.numbers, out.count, in.numbers, in.count);
  }
}

}  // namespace gradual
