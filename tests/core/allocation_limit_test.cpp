#include <gradual/core/allocation_limit.hpp>

#include <optional>
#include <thread>

#include <gradual/core/tensor.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {
constexpr std::int64_t unit = AllocationLimit::smallest;
// Whether there is room for a tensor of so many units.
bool fits(Index units) {
  try {
    return Tensor(Shape{units * unit / static_cast<Index>(sizeof(Real))}).defined();
  } catch (const AllocationLimitError&) {
    return false;
  }
}
}  // namespace

TEST_CASE("allocation limit: tensors take what it allows in all, and not a number more") {
  const AllocationLimit limit(100 * unit);
  CHECK(fits(60));
  CHECK_FALSE(fits(41));
  CHECK(fits(40));
  CHECK_FALSE(fits(1));
  CHECK_THROWS_WITH(Tensor(Shape{Index(1) << 61}), Contains("must fit within the limit"));
}

TEST_CASE("allocation limit: many tensors of one number cost what they cost together") {
  const AllocationLimit limit(3 * unit);
  for (int i = 0; i < 3; ++i) CHECK(Tensor(Shape{1}).defined());
  CHECK_THROWS_AS(Tensor(Shape{1}), AllocationLimitError);
}

TEST_CASE("allocation limit: it ends with its life and holds for its own thread") {
  {
    const AllocationLimit limit(0);
    CHECK_FALSE(fits(1));
    bool elsewhere = false;
    std::thread([&] { elsewhere = fits(1000); }).join();
    CHECK(elsewhere);
  }
  CHECK(fits(1000));
}

TEST_CASE("allocation limit: of several each holds") {
  const AllocationLimit outer(100 * unit);
  {
    const AllocationLimit inner(30 * unit);
    CHECK_FALSE(fits(31));
    CHECK(fits(30));
  }
  CHECK_FALSE(fits(71));
  {
    const AllocationLimit wider(1000 * unit);
    CHECK_FALSE(fits(71));
    CHECK(fits(20));
  }
  CHECK(fits(50));
  CHECK_THROWS_AS(AllocationLimit(-1), std::invalid_argument);
}
