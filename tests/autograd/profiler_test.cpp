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
  for (const ProfiledOperation& each : operations) CHECK(each.forward.seconds >= 0);
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
}

TEST_CASE("machine: what is measured is more than nothing") {
  const MachineLimits limits = measure_machine();
  CHECK(limits.flops > 1e8);
  CHECK(limits.bytes_per_second > 1e8);
}
