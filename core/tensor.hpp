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
/// saved for the backward pass costs nothing, and updating a parameter cannot corrupt it. A tensor whose
/// mutable_data() was given out is copied at once instead, since that pointer may be written to at any time.
class Tensor {
 public:
  // ---- Make

  /// No axes and no value yet: what a gradient is before it is computed. See defined().
  Tensor() = default;
  /// Uninitialised numbers of the given shape.
  explicit Tensor(const Shape& shape) : block_(shape.size()), shape_(shape) {}
  /// The given numbers, row by row; throws std::invalid_argument when there are not shape.size() of them.
  Tensor(const Shape& shape, const std::vector<Real>& values);
  /// The same numbers, without a copy of them until one of the two is written to.
  Tensor(const Tensor& other) : Tensor(other, other.shape_, 0) {}
  /// The numbers of the other, which has none afterwards.
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(const Tensor& other) {
    if (this != &other) *this = Tensor(other);  // a copy of an exposed one is another block
    return *this;
  }
  Tensor& operator=(Tensor&&) noexcept = default;
  ~Tensor() = default;

  /// The same number everywhere.
  static Tensor full(const Shape& shape, Real value);
  /// 0 everywhere.
  static Tensor zeros(const Shape& shape) { return full(shape, 0); }
  /// 1 everywhere.
  static Tensor ones(const Shape& shape) { return full(shape, 1); }
  /// One number, without axes.
  static Tensor scalar(Real value) { return full({}, value); }
  /// 0, 1, … count - 1.
  static Tensor arange(Index count);

  // ---- Ask for its shape

  /// False where there is no value yet.
  bool defined() const { return block_.data() != nullptr; }
  /// The sizes of the axes.
  const Shape& shape() const& { return shape_; }
  Shape shape() const&& { return shape_; }
  /// The number of axes.
  Index rank() const { return shape_.rank(); }
  /// The number of elements.
  Index size() const { return shape_.size(); }
  /// The size of an axis; negative ones count from the end.
  Index dim(Index axis) const { return shape_[axis]; }

  // ---- Read and write its numbers

  /// The numbers, row by row, for reading.
  const Real* data() const { return block_.data() + offset_; }
  /// The numbers, for writing; copies the block first when another tensor shares it. No copy of the tensor
  /// ever sees what is written: copies made from now on have numbers of their own.
  Real* mutable_data();
  /// The same, but copies made from now on share the block: for loops that write all before the tensor is
  /// copied, and never after.
  Real* unguarded_data();
  /// Gives all elements one value; throws std::invalid_argument when it is not defined.
  void fill(Real value);
  const Real* begin() const { return defined() ? data() : nullptr; }
  const Real* end() const { return defined() ? data() + size() : nullptr; }

  /// One element; throws std::invalid_argument when the indices do not fit the shape.
  Real operator()(std::initializer_list<Index> indices) const;
  /// The only element; throws std::invalid_argument when there are more or none.
  Real item() const;
  /// A copy of the numbers, row by row.
  std::vector<Real> to_vector() const { return {begin(), end()}; }

  // ---- Other views of its numbers

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

  // ---- Who shares its memory

  /// Whether the two have one block of memory.
  bool shares_memory_with(const Tensor& other) const { return block_.data() == other.block_.data(); }
  /// True when another tensor has the same block.
  bool is_shared() const { return block_.is_shared(); }
  /// True when mutable_data() was given out: copies do not share.
  bool is_exposed() const { return exposed_ && defined(); }

 private:
  // The elements from `first` on under another shape.
  Tensor(const Tensor& whole, const Shape& shape, Index first);

  Block block_;
  Index offset_ = 0;
  bool exposed_ = false;
  Shape shape_;
};

/// Prints the shape and the numbers, with the middle of long axes left out.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace GRADUAL_PRECISION
}  // namespace gradual
