#include <gradual/autograd/profiler.hpp>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

const ProfiledOperation& find(const std::vector<ProfiledOperation>& operations, const char* name) {
  for (const ProfiledOperation& each : operations) {
    if (each.name == name) return each;
  }
  throw std::runtime_error(std::string("there is no ") + name);
}

}  // namespace

TEST_CASE("profiler: each operation is seen forward and backward, with its products and tensors") {
  const Var a = Var::parameter(Tensor::ones({64, 32})), b = Var::parameter(Tensor::ones({32, 16}));
  std::vector<ProfiledOperation> operations;
  {
    const Profiler profiler;
    backward(sum(tanh(matmul(a, b))));
    operations = profiler.operations();
  }
  const ProfiledOperation& product = find(operations, "matmul");
  CHECK(product.forward.calls == 1);
  CHECK(product.backward.calls == 1);
  CHECK(product.forward.flops == 2 * 64 * 32 * 16);
  CHECK(product.backward.flops == 2 * 2 * 64 * 32 * 16);  // one product for each input
  CHECK(product.forward.bytes == sizeof(Real) * (64 * 32 + 32 * 16 + 64 * 16));
  CHECK(find(operations, "tanh").forward.flops == 0);
}

namespace {

// A clock that is a second further each time it is read.
double second_by_second() {
  static double now = 0;
  return ++now;
}

// One that goes on by a second up to an event, and by a hundred in what the profiler does with it: it is read
// at the profiler's start, and before and after each entry.
struct {
  double now;
  int reads;
} uneven;
double uneven_seconds() { return uneven.now += uneven.reads++ % 2 == 0 ? 100 : 1; }

}  // namespace

TEST_CASE("profiler: an operation's time is from the event before to its own, without the profiler's") {
  const Var x = Var::parameter(Tensor::ones({2})), y = Var::parameter(Tensor::ones({2}));
  uneven = {};
  const Profiler profiler(uneven_seconds);
  const Var joined = concat({exp(x), y}, 0);
  Profiler::mark("reading");
  backward(joined, Tensor::ones({4}));
  const std::vector<ProfiledOperation> operations = profiler.operations();
  for (const char* name : {"exp", "concat"}) {
    const ProfiledOperation& each = find(operations, name);
    CHECK(each.forward.calls == 1);
    CHECK(each.forward.seconds == 1);
    CHECK(each.backward.calls == 1);
    CHECK(each.backward.seconds == 1);
  }
  CHECK(find(operations, "reading").forward.seconds == 1);
  CHECK(find(operations, "backward: ordering").forward.seconds == 1);
  double all = 0;
  for (const ProfiledOperation& each : operations) all += each.forward.seconds + each.backward.seconds;
  CHECK(all == 6);
}

TEST_CASE(
    "profiler: an operation with a rule for all inputs is seen like the others, and so are backward's "
    "bytes") {
  const Var x = Var::parameter(Tensor::ones({3})), y = Var::parameter(Tensor::ones({5}));
  const Profiler profiler;
  backward(concat({x, y, Tensor::ones({2})}, 0), Tensor::ones({10}), Graph::release);
  const ProfiledOperation joined = find(profiler.operations(), "concat");
  CHECK(joined.forward.calls == 1);
  CHECK(joined.forward.bytes == sizeof(Real) * (10 + 3 + 5));  // constants have no node
  CHECK(joined.backward.bytes == sizeof(Real) * (10 + 3 + 5));
}

TEST_CASE("profiler: operations come by falling time of both passes") {
  const Profiler profiler(second_by_second);
  for (int i = 0; i < 2; ++i) Profiler::mark("twice");
  Profiler::mark("once");
  for (int i = 0; i < 3; ++i) Profiler::mark("thrice");
  std::vector<std::string> names;
  for (const ProfiledOperation& each : profiler.operations()) names.push_back(each.name);
  CHECK(names == std::vector<std::string>{"thrice", "twice", "once"});
}

TEST_CASE("profiler: a table of no steps, or for a machine that does nothing, is refused") {
  CHECK_THROWS_WITH(profile_table({}, {1, 1}, 0),
                    "profile_table: steps and limits must be positive: steps is 0, flops is "
                    "1, bytes_per_second is 1");
  CHECK_THROWS_AS(profile_table({}, {0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(profile_table({}, {1, -1}), std::invalid_argument);
}

TEST_CASE("profiler: it sees nothing of before and after its life, and what a program marks") {
  const Var x = Var::parameter(Tensor::ones({4}));
  (void)exp(x);
  const Profiler outer;
  Profiler::mark("reading");
  {
    const Profiler inner;
    (void)exp(x);
    CHECK(inner.operations().size() == 1);
  }
  CHECK(outer.operations().size() == 1);
  CHECK(outer.operations()[0].name == "reading");
  CHECK(outer.operations()[0].forward.bytes == 0);  // a mark makes no tensor
}

TEST_CASE("profiler: the table names what limits an operation, by hand-made figures") {
  ProfiledOperation product{"matmul", {2, 0.010, 1e9, 1e6}, {1, 0.020, 2e9, 1e6}};
  const MachineLimits limits{2e11, 1e10};  // 5 ms and 10 ms of products; 0.1 ms of memory
  const std::string table = profile_table({product}, limits, 2);
  CHECK_THAT(table, Contains("200 GFLOP/s") && Contains("10.0 GB/s"));
  CHECK_THAT(
      table,
      Contains("matmul                   forward      5.000  33.3%      1.0    0.5000    0.0005      50%"));
  CHECK_THAT(
      table,
      Contains("matmul                   backward    10.000  66.7%      0.5    1.0000    0.0005      50%"));
  product.name = std::string(300, 'm');  // which costs no figure
  CHECK_THAT(
      profile_table({product}, limits, 2),
      Contains(std::string(300, 'm') + " backward    10.000  66.7%      0.5    1.0000    0.0005      50%\n"));
}

TEST_CASE("machine: what is measured is more than nothing", "[heavy]") {
  const MachineLimits limits = measure_machine();
  CHECK(limits.flops > 1e8);
  CHECK(limits.bytes_per_second > 1e8);
}
