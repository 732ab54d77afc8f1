// What does not fit is refused with the operation's name, for tensors as for variables; and a rule writes
// over no gradient that someone else holds.
#include <gradual/autograd/operations.hpp>

#include <string>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const Tensor two_by_three = random_tensor({2, 3}, 1), two = random_tensor({2}, 2);
const std::string misfit =
    ": shapes must be equal or 1 along each axis, counted from the last: a is [2, 3], b is [2]";

template <class X>
void check_refusals(const X& x, const X& y) {
  CHECK_THROWS_WITH(maximum(x, y), "maximum" + misfit);
  CHECK_THROWS_WITH(minimum(x, y), "minimum" + misfit);
  CHECK_THROWS_WITH(x < y, "less" + misfit);
  CHECK_THROWS_WITH(x <= y, "less_equal" + misfit);
  CHECK_THROWS_WITH(y > x, "less" + misfit);
  CHECK_THROWS_WITH(y >= x, "less_equal" + misfit);
  CHECK_THROWS_WITH(is_equal(x, y), "is_equal" + misfit);
  CHECK_THROWS_WITH(clip(x, 1, 0), "clip: low must be at most high: low is 1, high is 0");
  CHECK_THROWS_WITH(min(x, {2}), "min: no such axis: axis 2 of [2, 3]");
  CHECK_THROWS_WITH(min(x, {1, -1}), "min: each axis may be named once: x is [2, 3], axes are [1, 1]");
  CHECK_THROWS_WITH(variance(x, {-3}), "variance: no such axis: axis -3 of [2, 3]");
  CHECK_THROWS_WITH(variance(x, {0, 0}),
                    "variance: each axis may be named once: x is [2, 3], axes are [0, 0]");
  CHECK_THROWS_WITH(cumsum(x, 2), "cumsum: no such axis: axis 2 of [2, 3]");
  CHECK_THROWS_WITH(stack({x, y}), "stack: shapes must be equal: [2, 3] and [2]");
  CHECK_THROWS_WITH(stack({x, x}, 3), "stack: the new axis must lie in 0 … 2: axis is 3, parts are [2, 3]");
  CHECK_THROWS_WITH(stack(std::vector<X>()), "stack: there must be at least one part");
  CHECK_THROWS_WITH(
      split(x, {1, 1}, 1),
      "split: sizes must be at least 0 and add up to that of the axis: [1, 1] along axis 1 of [2, 3]");
  CHECK_THROWS_WITH(split(x, {2}, -3), "split: no such axis: axis -3 of [2, 3]");
  CHECK_THROWS_WITH(x[2], "tensor: the row must lie within the first axis: row 2 of [2, 3]");
  CHECK_THROWS_WITH(x[-3], "tensor: the row must lie within the first axis: row -3 of [2, 3]");
  CHECK_THROWS_WITH(einsum("ij,jk->ik", x, x),
                    "einsum: a letter for each axis, and one size for each letter: \"ij,jk->ik\" for a [2, "
                    "3] and b [2, 3]");
  CHECK_THROWS_WITH(einsum("ij->i", x, y),
                    "einsum: the pattern must read like \"ij,jk->ik\": it is \"ij->i\"");
}

}  // namespace

TEST_CASE("vocabulary: shapes, axes and patterns that do not fit are named, for tensors and for variables") {
  check_refusals<Tensor>(two_by_three, two);
  check_refusals<Var>(Var::parameter(two_by_three), Var::parameter(two));
  CHECK_THROWS_WITH(argmax(two_by_three, 2), "argmax: no such axis: axis 2 of [2, 3]");
  CHECK_THROWS_WITH(argmax(Tensor(Shape{2, 0}), 1), "argmax: there must be elements: x is [2, 0], axis is 1");
  CHECK_THROWS_WITH(variance(Tensor(Shape{2, 0}), {1}), "variance: there must be elements: x is [2, 0]");
}

TEST_CASE("vocabulary: a rule writes over no gradient that someone else holds") {
  const Var x = Var::parameter(two_by_three), w = Var::parameter(two_by_three + 1);
  const Tensor seed = two_by_three * 2, before = seed * 1;

  // The seed, and a gradient that is kept.
  const Var y = exp(x);
  y.keep_grad();
  const Var z = exp(y);
  backward(z, seed);
  CHECK(seed.to_vector() == before.to_vector());
  CHECK(difference(y.grad(), seed * z.value()) == "");
  CHECK(difference(x.grad(), y.grad() * y.value()) == "");

  // A sum gives both of its terms one gradient, here those of a product and of squares.
  const Var a = Var::parameter(two_by_three), b = Var::parameter(two_by_three + 2);
  backward(pow(a, 2) + a * b + b, seed);
  CHECK(seed.to_vector() == before.to_vector());
  CHECK(difference(a.grad(), seed * (2 * a.value() + b.value())) == "");
  CHECK(difference(b.grad(), seed * (a.value() + 1)) == "");

  // A graph that is kept gives the same a second time.
  const Var loss = sum(tanh(w * w) / w);
  backward(loss, Graph::keep);
  const Tensor once = w.grad() * 1;
  backward(loss);
  CHECK(difference(w.grad(), once * 2) == "");
}
