// The tensor: a shape and one contiguous row-major block of numbers.
#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include <gradual/core/memory.hpp>
#include <gradual/core/shape.hpp>

namespace gradual {
inline namespace GRADUAL_PRECISION {

/// A shape and one contiguous row-major block of numbers.
///
/// Copies are cheap: they share the block, and the first write through one of them copies it. So a value
/// saved for the backward pass costs nothing, and updating a parameter cannot corrupt it.
class Tensor {
 public:
  /// No axes and no value yet: what a gradient is before it is computed. See defined().
  Tensor() = default;
  /// Uninitialised numbers of the given shape.
  explicit Tensor(const Shape& shape) : block_(shape.size()), shape_(shape) {}
  /// The given numbers, row by row; throws std::invalid_argument when there are not shape.size() of them.
  Tensor(const Shape& shape, const std::vector<Real>& values);

  static Tensor full(const Shape& shape, Real value);
  static Tensor zeros(const Shape& shape) { return full(shape, 0); }
  static Tensor ones(const Shape& shape) { return full(shape, 1); }
  static Tensor scalar(Real value) { return full({}, value); }
  /// 0, 1, … count - 1.
  static Tensor arange(Index count);

  bool defined() const { return block_.data() != nullptr; }
  const Shape& shape() const { return shape_; }
  Index rank() const { return shape_.rank(); }
  Index size() const { return shape_.size(); }
  Index dim(Index axis) const { return shape_[axis]; }

  const Real* data() const { return block_.data() + offset_; }
  /// The numbers, for writing; copies the block first when another tensor shares it.
  Real* mutable_data();
  const Real* begin() const { return data(); }
  const Real* end() const { return defined() ? data() + size() : nullptr; }

  /// One element; throws std::invalid_argument when the indices do not fit the shape.
  Real operator()(std::initializer_list<Index> indices) const;
  /// The only element; throws std::invalid_argument when there are more or none.
  Real item() const;
  std::vector<Real> to_vector() const { return {begin(), end()}; }

  /// The same numbers under another shape, without a copy; throws std::invalid_argument when their number
  /// differs.
  Tensor with_shape(const Shape& shape) const;
  /// The same; one size may be -1: it is worked out.
  Tensor reshaped(const std::vector<Index>& sizes) const;
  /// The slices first … last - 1 along the first axis, without a copy.
  Tensor rows(Index first, Index last) const;
  /// Row i along the first axis, without that axis and without a copy; negative ones count from the end.
  /// Throws std::invalid_argument when there is no such row.
  Tensor operator[](Index row) const;

  void fill(Real value);
  bool shares_memory_with(const Tensor& other) const { return block_.data() == other.block_.data(); }
  bool is_shared() const { return block_.is_shared(); }

 private:
  Block block_;
  Index offset_ = 0;
  Shape shape_;
};

/// Prints the shape and the numbers, with the middle of long axes left out.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace GRADUAL_PRECISION
}  // namespace gradual
