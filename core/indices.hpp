// Whole numbers in the shape of a tensor: token ids, class labels, positions.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/shape.hpp>

namespace gradual {

/// Whole numbers under a shape, such as token ids of shape [B, T]. Immutable; copies share the numbers.
class Indices {
 public:
  /// None.
  Indices() : Indices(Shape{0}, {}) {}
  /// Throws std::invalid_argument when there is not one number for each element of the shape.
  Indices(const Shape& shape, std::vector<std::int32_t> values)
      : shape_(shape), values_(std::make_shared<const std::vector<std::int32_t>>(std::move(values))) {
    if (static_cast<Index>(values_->size()) != shape.size())
      throw std::invalid_argument(text("indices: one number for each element: shape ", shape, " has ",
                                       shape.size(), ", got ", values_->size()));
  }

  /// The sizes of the axes.
  const Shape& shape() const& { return shape_; }
  Shape shape() const&& { return shape_; }
  /// The size of an axis.
  Index dim(Index axis) const { return shape_[axis]; }
  /// The number of elements.
  Index size() const { return shape_.size(); }
  /// The numbers, row by row.
  const std::int32_t* data() const { return values_->data(); }
  const std::int32_t* begin() const { return values_->data(); }
  const std::int32_t* end() const { return values_->data() + values_->size(); }
  /// The number at a place in row-major order; throws std::invalid_argument when there is no such place.
  std::int32_t operator[](Index position) const {
    const auto at = static_cast<std::size_t>(position);
    if (at >= values_->size()) throw_outside(position);
    return (*values_)[at];
  }

 private:
  [[noreturn]] void throw_outside(Index position) const {
    throw std::invalid_argument(text("indices: no such place: place ", position, " of ", shape_));
  }

  Shape shape_;
  std::shared_ptr<const std::vector<std::int32_t>> values_;
};

}  // namespace gradual
