#include <gradual/core/shape.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {

Shape::Shape(std::initializer_list<Index> sizes) {
  for (Index size : sizes) push_back(size);
}

Shape::Shape(const std::vector<Index>& sizes) {
  for (Index size : sizes) push_back(size);
}

Index Shape::size() const {
  Index product = 1;
  for (Index size : *this) product *= size;
  return product;
}

void Shape::push_back(Index size) {
  if (rank_ == max_rank)
    throw std::invalid_argument(text("shape: at most ", max_rank, " axes: ", *this, " is full"));
  require_countable(rank_, size);
  sizes_[static_cast<std::size_t>(rank_++)] = size;
}

void Shape::set(Index axis, Index size) {
  const Index place = normalized_axis(axis);
  require_countable(place, size);
  sizes_[static_cast<std::size_t>(place)] = size;
}

void Shape::require_countable(Index place, Index size) const {
  if (size < 0) throw std::invalid_argument(text("shape: sizes must not be negative: got ", size));
  // Axes of size 0 count as 1 here, so that no product of some of the sizes overflows, such as a stride.
  Index product = std::max<Index>(size, 1);
  for (Index axis = 0; axis < rank_; ++axis) {
    const Index each = axis == place ? 1 : std::max<Index>(sizes_[static_cast<std::size_t>(axis)], 1);
    if (!__builtin_mul_overflow(product, each, &product)) continue;
    Shape asked = *this;
    asked.sizes_[static_cast<std::size_t>(place)] = size;
    asked.rank_ = std::max(rank_, place + 1);
    throw std::invalid_argument(text("shape: too many elements to count: ", asked));
  }
}

Index Shape::normalized_axis(Index axis, const char* operation) const {
  const Index from_start = axis < 0 ? axis + rank_ : axis;
  if (from_start < 0 || from_start >= rank_)
    throw std::invalid_argument(text(operation, ": no such axis: axis ", axis, " of ", *this));
  return from_start;
}

Shape Shape::slice(Index first, Index last) const {
  if (first < 0 || first > last || last > rank_)
    throw std::invalid_argument(text("shape: a slice must be 0 <= first <= last <= number of axes: axes ",
                                     first, " to ", last, " of ", *this));
  Shape result;
  for (Index axis = first; axis < last; ++axis) result.push_back((*this)[axis]);
  return result;
}

std::vector<Index> Shape::strides() const {
  std::vector<Index> result(static_cast<std::size_t>(rank_), 1);
  for (Index axis = rank_ - 1; axis > 0; --axis)
    result[static_cast<std::size_t>(axis - 1)] = result[static_cast<std::size_t>(axis)] * (*this)[axis];
  return result;
}

std::string Shape::to_string() const { return text(*this); }

bool operator==(const Shape& a, const Shape& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << list_of(shape); }

Shape broadcast_shapes(const char* operation, const Shape& a, const Shape& b, const char* a_name,
                       const char* b_name) {
  Shape result = a.rank() >= b.rank() ? a : b;
  for (Index back = 1; back <= std::min(a.rank(), b.rank()); ++back) {
    if (a[-back] != b[-back] && a[-back] != 1 && b[-back] != 1)
      throw std::invalid_argument(
          text(operation, ": shapes must be equal or 1 along each axis, counted from the last: ", a_name,
               " is ", a, ", ", b_name, " is ", b));
    result.set(-back, a[-back] == 1 ? b[-back] : a[-back]);
  }
  return result;
}

}  // namespace gradual
