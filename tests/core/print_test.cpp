#include <gradual/core/error.hpp>
#include <gradual/core/tensor.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("print: the shape stands above the numbers, which nest as the axes do") {
  CHECK(text(Tensor({3}, {1, Real(-2.5), 0})) == "[3]\n{ 1. , -2.5,  0. }");
  CHECK(text(Tensor::arange(4).with_shape({2, 2})) == "[2, 2]\n{{ 0.,  1.},\n { 2.,  3.}}");
}

TEST_CASE("print: a scalar, an empty tensor and one without a value") {
  CHECK(text(Tensor::scalar(7)) == "[]\n 7.");
  CHECK(text(Tensor({2, 0})) == "[2, 0]\n{}");
  CHECK(text(Tensor()) == "undefined");
}

TEST_CASE("print: the middle of long axes is left out") {
  const std::string words = text(Tensor::arange(3000));
  CHECK(words.size() < 100);
  CHECK_THAT(words, Contains("[3000]\n") && Contains("0.") && Contains(", ...,") && Contains("2999."));
}

TEST_CASE("print: a view of some rows shows these rows") {
  CHECK(text(Tensor::arange(6).with_shape({3, 2}).rows(1, 2)) == "[1, 2]\n{{ 2.,  3.}}");
}
