#include <gradual/core/tensor.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {
inline namespace GRADUAL_PRECISION {

Tensor::Tensor(const Shape& shape, const std::vector<Real>& values) : Tensor(shape) {
  if (static_cast<Index>(values.size()) != size())
    throw std::invalid_argument(
        text("tensor: one number for each element: shape ", shape, " has ", size(), ", got ", values.size()));
  std::copy(values.begin(), values.end(), block_.data());
}

Tensor Tensor::full(const Shape& shape, Real value) {
  Tensor result(shape);
  std::fill_n(result.block_.data(), result.size(), value);
  return result;
}

Tensor Tensor::arange(Index count) {
  Tensor result(Shape{count});
  for (Index i = 0; i < count; ++i) result.block_.data()[i] = static_cast<Real>(i);
  return result;
}

Tensor::Tensor(const Tensor& whole, const Shape& shape, Index first) : shape_(shape) {
  if (whole.is_exposed()) {
    block_ = Block(shape.size());
    std::copy_n(whole.data() + first, shape.size(), block_.data());
  } else {
    block_ = whole.block_;
    offset_ = whole.offset_ + first;
  }
}

Real* Tensor::unguarded_data() {
  if (block_.is_shared()) {
    Block own(size());
    std::copy(begin(), end(), own.data());
    block_ = std::move(own);
    offset_ = 0;
  }
  return block_.data() + offset_;
}

Real* Tensor::mutable_data() {
  if (!defined()) throw std::logic_error("mutable_data: the tensor is not defined");
  exposed_ = true;
  return unguarded_data();
}

Real Tensor::operator()(std::initializer_list<Index> indices) const {
  const auto out_of_range = [&] {
    return std::invalid_argument(
        text("tensor: indices must lie within the shape: ", list_of(indices), " of ", shape_));
  };
  if (!defined() || static_cast<Index>(indices.size()) != rank()) throw out_of_range();
  Index position = 0;
  const Index* size = shape_.begin();
  for (Index index : indices) {
    if (index < 0 || index >= *size) throw out_of_range();
    position = position * *size++ + index;
  }
  return data()[position];
}

Real Tensor::item() const {
  if (!defined() || size() != 1)
    throw std::invalid_argument(text("item: the tensor must have one element: shape ", shape_));
  return data()[0];
}

Tensor Tensor::with_shape(const Shape& shape) const {
  if (!defined()) throw std::invalid_argument("reshape: x must be defined");
  if (shape.size() != size())
    throw std::invalid_argument(text("reshape: the number of elements must stay: ", shape_, " has ", size(),
                                     ", ", shape, " has ", shape.size()));
  return Tensor(*this, shape, 0);
}

Tensor Tensor::reshaped(const std::vector<Index>& sizes) const {
  if (std::count(sizes.begin(), sizes.end(), Index(-1)) > 1)
    throw std::invalid_argument(text("reshape: at most one size may be -1: got ", list_of(sizes)));
  std::vector<Index> known = sizes;
  const auto unknown = std::find(known.begin(), known.end(), Index(-1));
  if (unknown != known.end()) {
    *unknown = 1;
    const Index others = Shape(known).size();
    if (others != 0) *unknown = size() / others;
  }
  return with_shape(Shape(known));
}

Tensor Tensor::operator[](Index row) const {
  const Index first = row < 0 && rank() > 0 ? row + dim(0) : row;
  if (!defined() || rank() == 0 || first < 0 || first >= dim(0))
    throw std::invalid_argument(
        text("tensor: the row must lie within the first axis: row ", row, " of ", shape_));
  return rows(first, first + 1).with_shape(shape_.slice(1, rank()));
}

Tensor Tensor::rows(Index first, Index last) const {
  if (!defined() || rank() == 0 || first < 0 || first > last || last > dim(0))
    throw std::invalid_argument(text("rows: 0 <= first <= last <= size of the first axis: rows ", first,
                                     " to ", last, " of ", shape_));
  Shape part = shape_;
  part.set(0, last - first);
  return Tensor(*this, part, dim(0) > 0 ? first * (size() / dim(0)) : 0);
}

void Tensor::fill(Real value) {
  if (!defined()) throw std::invalid_argument("fill: x must be defined");
  if (block_.is_shared()) *this = Tensor(shape_);
  std::fill_n(block_.data() + offset_, size(), value);
}

}  // namespace GRADUAL_PRECISION
}  // namespace gradual
