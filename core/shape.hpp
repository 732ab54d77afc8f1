// The sizes of a tensor's axes, and the rules by which shapes combine.
#pragma once

#include <array>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// The sizes of a tensor's axes, outermost first: `Shape{32, 10, 128}`. A scalar has no axes.
///
/// Throws std::invalid_argument for more than eight axes, for a negative size, and for more elements than an
/// Index counts; then nothing has changed.
class Shape {
 public:
  /// The most axes of a shape.
  static constexpr Index max_rank = 8;

  Shape() = default;
  /// The size of each axis, outermost first, as in {2, 3}.
  Shape(std::initializer_list<Index> sizes);
  /// The same from a list.
  explicit Shape(const std::vector<Index>& sizes);

  /// The number of axes.
  Index rank() const { return rank_; }
  /// The number of elements: the product of all sizes.
  Index size() const;
  /// The size of an axis; negative ones count from the end. Throws std::invalid_argument when there is no
  /// such axis.
  Index operator[](Index axis) const { return sizes_[static_cast<std::size_t>(normalized_axis(axis))]; }
  /// Gives an axis another size; negative axes count from the end.
  void set(Index axis, Index size);
  /// Adds an axis at the end.
  void push_back(Index size);
  /// The axis as a number from 0; throws std::invalid_argument that names `operation` when the shape has no
  /// such axis.
  Index normalized_axis(Index axis, const char* operation = "shape") const;

  /// The axes `first … last - 1` as a shape of their own.
  Shape slice(Index first, Index last) const;
  /// How many elements one step along each axis skips.
  std::vector<Index> strides() const;
  /// Such as `[32, 10, 128]`.
  std::string to_string() const;

  const Index* begin() const { return sizes_.data(); }
  const Index* end() const { return sizes_.data() + rank_; }
  friend bool operator==(const Shape& a, const Shape& b);
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  /// Throws unless the axis at a place, which may be a new one at the end, can have this size.
  void require_countable(Index place, Index size) const;

  std::array<Index, max_rank> sizes_{};
  Index rank_ = 0;
};

/// Prints a shape as `[32, 10, 128]`.
std::ostream& operator<<(std::ostream& out, const Shape& shape);

/// The shape that two shapes broadcast to: aligned at the last axis, sizes equal or one of them 1 (as in
/// NumPy). Throws std::invalid_argument that names `operation` and both shapes when they do not fit.
Shape broadcast_shapes(const char* operation, const Shape& a, const Shape& b, const char* a_name = "a",
                       const char* b_name = "b");

}  // namespace gradual
