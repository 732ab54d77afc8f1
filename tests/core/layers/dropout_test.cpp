#include <gradual/core/layers/dropout.hpp>

#include <cmath>
#include <limits>
#include <set>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

double share(int times, int count) { return times / static_cast<double>(count); }

}  // namespace

TEST_CASE("dropout: keeps the share 1 - p of the elements, scaled by 1/(1 - p)") {
  for (const double p : {0.1, 0.5, 0.9}) {
    const Tensor y = apply_dropout(Tensor::full({200000}, 2), DropoutMask(p, 12345));
    int dropped = 0, kept = 0;
    for (Real each : y) {
      dropped += each == 0;
      kept += each == static_cast<Real>(2) * static_cast<Real>(1 / (1 - p));
    }
    INFO(p);
    CHECK(dropped + kept == 200000);
    CHECK(std::abs(share(dropped, 200000) - p) < 4 * std::sqrt(p * (1 - p) / 200000));
  }
}

TEST_CASE("dropout: the same key gives the same mask, forward and backward") {
  const Tensor x = random_tensor({1000}, 1), dy = random_tensor({1000}, 2);
  const DropoutMask mask(0.3, 7);
  CHECK(same_bits(apply_dropout(x, mask), apply_dropout(x, DropoutMask(0.3, 7))));
  const Tensor y = apply_dropout(Tensor::ones({1000}), mask);
  CHECK(same_bits(apply_dropout(dy, mask), dy * y));
}

TEST_CASE("dropout: masks of different keys, and of neighbouring elements, are independent") {
  constexpr int count = 200000;
  constexpr double p = 0.3;
  const double allowed = 6 * std::sqrt(p * p * (1 - p * p) / count);  // of a share of p²
  Random random(1);
  for (int pair = 0; pair < 20; ++pair) {
    const DropoutMask one(p, static_cast<std::uint32_t>(random.next_u64())),
        two(p, static_cast<std::uint32_t>(random.next_u64()));
    int both = 0, neighbours = 0, next_rows = 0;
    for (Index i = 0; i < count; ++i) {
      both += one(i) == 0 && two(i) == 0;
      neighbours += one(i) == 0 && one(i + 1) == 0;
      next_rows += one(i) == 0 && one(i + 512) == 0;
    }
    CHECK(std::abs(share(both, count) - p * p) < allowed);
    CHECK(std::abs(share(neighbours, count) - p * p) < allowed);
    CHECK(std::abs(share(next_rows, count) - p * p) < allowed);
  }
}

TEST_CASE("dropout: masks do not repeat after 2^32 places, and are hashes of the place before") {
  constexpr int count = 200000;
  constexpr double p = 0.3;
  constexpr Index far = Index(1) << 32;
  const DropoutMask mask(p, 12345);
  for (const Index place : {Index(0), Index(1), far / 2, far - 1})
    CHECK((mask(place) == 0) == (hash32(static_cast<std::uint32_t>(place), 12345) < mask.threshold));
  for (const Index later : {far, 2 * far, 3 * far}) {
    int both = 0, dropped = 0;
    for (Index i = 0; i < count; ++i) {
      both += mask(i) == 0 && mask(later + i) == 0;
      dropped += mask(later + i) == 0;
    }
    CHECK(std::abs(share(dropped, count) - p) < 6 * std::sqrt(p * (1 - p) / count));
    CHECK(std::abs(share(both, count) - p * p) < 6 * std::sqrt(p * p * (1 - p * p) / count));
  }
}

TEST_CASE("dropout: a hash for one key never repeats, and each of its bits is set half the time") {
  std::set<std::uint32_t> seen;
  std::vector<int> set_bits(32);
  for (std::uint32_t i = 0; i < 50000; ++i) {
    const std::uint32_t hash = hash32(i, 99);
    seen.insert(hash);
    for (int bit = 0; bit < 32; ++bit) set_bits[static_cast<std::size_t>(bit)] += hash >> bit & 1;
  }
  CHECK(seen.size() == 50000);
  for (int times : set_bits) CHECK(std::abs(times - 25000) < 5 * std::sqrt(12500.0));
}

TEST_CASE("dropout: with probability 0 everything stays, without a copy") {
  const Tensor x = random_tensor({10}, 1);
  CHECK_FALSE(DropoutMask().active());
  CHECK_FALSE(DropoutMask(0, 5).active());
  CHECK(apply_dropout(x, DropoutMask()).shares_memory_with(x));
  CHECK(DropoutMask()(3) == 1);
}

TEST_CASE("dropout: probabilities outside [0, 1) are refused") {
  CHECK_THROWS_AS(DropoutMask(1, 0), std::invalid_argument);
  CHECK_THROWS_WITH(DropoutMask(1, 0), "dropout: the probability must lie in [0, 1): got 1");
  CHECK_THROWS_AS(DropoutMask(-0.1, 0), std::invalid_argument);
  CHECK_THROWS_AS(DropoutMask(std::numeric_limits<double>::quiet_NaN(), 0), std::invalid_argument);
}

TEST_CASE("dropout: fused with an addition and with relu, it is what the parts give") {
  const Tensor x = random_tensor({7, 30}, 1), y = random_tensor({7, 30}, 2), dy = random_tensor({7, 30}, 3);
  for (const DropoutMask& mask : {DropoutMask(0.4, 3), DropoutMask()}) {
    CHECK(difference(add_dropped(x, y, mask), x + apply_dropout(y, mask), 1e-6) == "");
    CHECK(same_bits(relu_dropped(x, mask), apply_dropout(relu(x), mask)));
    const Tensor result = relu_dropped(x, mask);
    CHECK(difference(relu_dropped_backward(result, dy, mask), apply_dropout(dy, mask) * (x > 0), 1e-6) == "");
  }
  CHECK_THROWS_WITH(add_dropped(x, Tensor::ones({30}), DropoutMask()),
                    "add_dropped: y must be [7, 30]: it is [30]");
}

TEST_CASE("dropout: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor x = random_tensor({300, 301}, 1), y = random_tensor({300, 301}, 2);
    const DropoutMask mask(0.1, 5);
    const Tensor relus = relu_dropped(x, mask);
    return std::vector<Tensor>{apply_dropout(x, mask), add_dropped(x, y, mask), relus,
                               relu_dropped_backward(relus, y, mask)};
  });
}
