#include <gradual/core/kernels/packed_weight.hpp>

#include <array>
#include <cstring>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// A tile of sums stays in registers: so many rows of x, two vectors of outputs.
#ifdef __AVX512F__
constexpr Index vector_bytes = 64, most_rows = 12;  // of 32 registers
#else
constexpr Index vector_bytes = 32, most_rows = 6;  // of 16
#endif
constexpr Index lanes = vector_bytes / static_cast<Index>(sizeof(Real));
constexpr Index width = 2 * lanes;
using Vector __attribute__((vector_size(vector_bytes))) = Real;

template <Index rows>
void multiply_tile(const Real* x, const Real* panel, Index inputs, Real* y, Index stride) {
  Vector sums[rows][2] = {};
  for (Index k = 0; k < inputs; ++k, panel += width) {
    Vector weights[2];
    std::memcpy(weights, panel, sizeof weights);
    for (Index r = 0; r < rows; ++r) {
      const Vector factor = x[r * inputs + k] - Vector{};  // in all lanes
      sums[r][0] += factor * weights[0];
      sums[r][1] += factor * weights[1];
    }
  }
  for (Index r = 0; r < rows; ++r) std::memcpy(y + r * stride, sums[r], sizeof sums[r]);
}

using Tile = void (*)(const Real* x, const Real* panel, Index inputs, Real* y, Index stride);
template <std::size_t... rows>
constexpr std::array<Tile, sizeof...(rows)> all_tiles(std::index_sequence<rows...>) {
  return {multiply_tile<rows + 1>...};
}
constexpr auto tiles = all_tiles(std::make_index_sequence<most_rows>());

}  // namespace

PackedWeight::PackedWeight(const Tensor& weight) {
  if (weight.rank() != 2)
    throw std::invalid_argument(text("packed weight: the weight must be [out, in]: it is ", weight.shape()));
  outputs_ = weight.dim(0);
  inputs_ = weight.dim(1);
  panels_ = Tensor({(outputs_ + width - 1) / width, inputs_, width});
  const Real* from = weight.data();
  Real* to = panels_.mutable_data();
  parallel_rows(panels(), inputs_ * width, [this, from, to](Index first, Index last) {
    for (Index out = first * width; out < last * width; ++out) {
      Real* column = to + out / width * inputs_ * width + out % width;
      for (Index k = 0; k < inputs_; ++k)
        column[k * width] = out < outputs_ ? from[out * inputs_ + k] : Real(0);
    }
  });
}

void PackedWeight::multiply(const Real* x, Index rows, Index first, Index last, Real* y, Index stride) const {
  const Index blocks = (rows + most_rows - 1) / most_rows;  // all but equally many rows each
  for (Index panel = first; panel < last; ++panel) {
    for (Index block = 0; block < blocks; ++block) {
      const Index row = rows * block / blocks, count = rows * (block + 1) / blocks - row;
      tiles[static_cast<std::size_t>(count - 1)](x + row * inputs_, panels_.data() + panel * inputs_ * width,
                                                 inputs_, y + row * stride + (panel - first) * width, stride);
    }
  }
}

}  // namespace gradual
