#include <gradual/core/rows/top_rows.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/rows/passes.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// Of each row a logit that the worst of its best is not under, whoever found it. All who read parts of the
// rows at the same time may know and raise it: a lower one does no harm.
using Floors = std::vector<std::atomic<Real>>;

// What is known of rows of logits that have been read in part: the best classes and the sums of exponentials.
class RunningTop {
 public:
  RunningTop(Index rows, Index count, const std::vector<std::int32_t>& excluded, Floors& floors)
      : floors_(floors),
        best_{count, std::vector<std::int32_t>(static_cast<std::size_t>(rows * count), -1),
              std::vector<Real>(static_cast<std::size_t>(rows * count), minus_infinity)},
        sums_(static_cast<std::size_t>(rows)),
        excluded_(excluded) {}

  // Reads the logits of the next `count` classes, from `first` on. A block of them is done with when its
  // largest does not belong among the best, and else each of its parts.
  void read(Index row, const Real* logits, Index first, Index count) {
    constexpr Index block = 64, part = 8;
    std::atomic<Real>& floor = floors_[static_cast<std::size_t>(row)];
    const Real known = floor.load(std::memory_order_relaxed);
    const auto is_among_best = [&](Real logit) { return logit > worst(row) && logit >= known; };
    Real top = minus_infinity;
    for (Index start = 0; start < count; start += block) {
      const Index end = std::min(start + block, count);
      const Real block_top = largest(logits + start, end - start);
      top = std::max(top, block_top);
      if (!is_among_best(block_top)) continue;
      for (Index i = start; i < end; i += part)
        if (const Index few = std::min(part, end - i); is_among_best(largest(logits + i, few)))
          look_at(row, logits + i, first + i, few);
    }
    if (worst(row) > known) floor.store(worst(row), std::memory_order_relaxed);
    Sum& sum = sums_[static_cast<std::size_t>(row)];
    const Real offset = std::max(top, sum.offset);
    sum.add({offset, sum_of_exponentials(logits, count, offset)});
  }

  // Adds what was read of the classes after these.
  void merge(const RunningTop& later) {
    for (std::size_t i = 0; i < best_.ids.size(); ++i)
      insert(static_cast<Index>(i) / best_.count, later.best_.log_probabilities[i], later.best_.ids[i]);
    for (std::size_t row = 0; row < sums_.size(); ++row) sums_[row].add(later.sums_[row]);
  }

  TopClasses finished() {
    for (std::size_t i = 0; i < best_.ids.size(); ++i) {
      const Sum& sum = sums_[i / static_cast<std::size_t>(best_.count)];
      // Not offset + log(total): that sum loses digits when all logits are large.
      best_.log_probabilities[i] = (best_.log_probabilities[i] - sum.offset) - std::log(sum.total);
      if (std::isfinite(best_.log_probabilities[i])) continue;
      best_.ids[i] = -1;
      best_.log_probabilities[i] = minus_infinity;
    }
    return best_;
  }

 private:
  // Σ e^x = total·e^offset, with the largest x as the offset.
  struct Sum {
    Real offset = std::numeric_limits<Real>::lowest(), total = 0;

    void add(const Sum& other) {
      if (other.offset == offset) {  // most often, and exponentials take time
        total += other.total;
        return;
      }
      const Real larger = std::max(offset, other.offset);
      total = total * std::exp(offset - larger) + other.total * std::exp(other.offset - larger);
      offset = larger;
    }
  };

  void look_at(Index row, const Real* logits, Index first, Index count) {
    for (Index i = 0; i < count; ++i) {
      const auto id = static_cast<std::int32_t>(first + i);
      if (logits[i] > worst(row) && std::find(excluded_.begin(), excluded_.end(), id) == excluded_.end())
        insert(row, logits[i], id);
    }
  }
  Real worst(Index row) const {
    return best_.log_probabilities[static_cast<std::size_t>((row + 1) * best_.count - 1)];
  }
  // Of equal ones the one that came first stays in front.
  void insert(Index row, Real value, std::int32_t id) {
    if (!(value > worst(row))) return;
    Real* values = best_.log_probabilities.data() + row * best_.count;
    std::int32_t* ids = best_.ids.data() + row * best_.count;
    Index place = best_.count - 1;
    for (; place > 0 && values[place - 1] < value; --place) {
      values[place] = values[place - 1];
      ids[place] = ids[place - 1];
    }
    values[place] = value;
    ids[place] = id;
  }

  Floors& floors_;
  TopClasses best_;  // with logits for log-probabilities until it is finished
  std::vector<Sum> sums_;
  const std::vector<std::int32_t>& excluded_;
};

Floors no_floors(Index rows) {
  Floors floors(static_cast<std::size_t>(rows));
  for (std::atomic<Real>& floor : floors) floor = minus_infinity;
  return floors;
}

constexpr Index most_int32 = std::numeric_limits<std::int32_t>::max();

void check(const Tensor& rows, const char* shape, Index classes, Index count) {
  if (rows.rank() != 2) throw std::invalid_argument(text("top_log_softmax: ", shape, ": got ", rows.shape()));
  if (classes > most_int32)
    throw std::invalid_argument(text("top_log_softmax: classes must fit 31 bits: there are ", classes));
  if (count < 1 || count > most_int32)
    throw std::invalid_argument(
        text("top_log_softmax: the count must be positive and fit 31 bits: got ", count));
}

template <class Matrix>
void check_factors(const Tensor& x, const Matrix& weight, Index count) {
  check(x, "x must be [B, D]", weight.columns(), count);
  if (x.dim(1) != weight.rows())
    throw std::invalid_argument(text("top_log_softmax: x must have the inputs of the weight: x is ",
                                     x.shape(), ", the weight has ", weight.rows(), " inputs"));
}

// Of logits that multiply(first, last, result) computes for the classes of some panels of a weight.
template <class Matrix, class Multiply>
TopClasses top_of_product(Index rows, const Matrix& weight, Index count,
                          const std::vector<std::int32_t>& excluded, Multiply multiply) {
  constexpr Index classes_at_once = 256;  // their logits fit the second-level cache
  constexpr Index most_parts = 8;         // of the classes, shared out to the threads
  const Index width = weight.panel_width(), panels_at_once = classes_at_once / width,
              stride = panels_at_once * width;
  const Index parts = std::clamp<Index>(weight.panels() / panels_at_once, 1, most_parts);
  Floors floors = no_floors(rows);
  std::vector<RunningTop> tops(static_cast<std::size_t>(parts), RunningTop(rows, count, excluded, floors));
  Tensor logits({parts, rows, stride});
  Real* blocks = logits.unguarded_data();
  parallel_for(parts, [&, blocks](Index part) {
    Real* block = blocks + part * rows * stride;
    const Index end = weight.panels() * (part + 1) / parts;
    for (Index panel = weight.panels() * part / parts; panel < end; panel += panels_at_once) {
      const Index last = std::min(panel + panels_at_once, end);
      multiply(panel, last, ProductResult{block, stride});
      const Index first_class = panel * width,
                  classes = std::min(last * width, weight.columns()) - first_class;
      for (Index r = 0; r < rows; ++r)
        tops[static_cast<std::size_t>(part)].read(r, block + r * stride, first_class, classes);
    }
  });
  for (std::size_t part = 1; part < tops.size(); ++part) tops.front().merge(tops[part]);
  return tops.front().finished();
}

}  // namespace

TopClasses top_log_softmax(const Tensor& logits, Index count, const std::vector<std::int32_t>& excluded) {
  check(logits, "logits must be [B, V]", logits.rank() == 2 ? logits.dim(1) : 0, count);
  const Index rows = logits.dim(0), width = logits.dim(1);
  Floors floors = no_floors(rows);
  RunningTop top(rows, count, excluded, floors);
  parallel_each_row(
      rows, width, [&top, width, data = logits.data()](Index r) { top.read(r, data + r * width, 0, width); });
  return top.finished();
}

TopClasses top_log_softmax(const Tensor& x, const PackedMatrix& weight, Index count,
                           const std::vector<std::int32_t>& excluded) {
  check_factors(x, weight, count);
  const MatrixView rows{x.data(), x.dim(1)};
  return top_of_product(x.dim(0), weight, count, excluded,
                        [&](Index first, Index last, const ProductResult& logits) {
                          weight.multiply(x.dim(0), rows, first, last, logits);
                        });
}

TopClasses top_log_softmax(const Tensor& x, const Int8Matrix& weight, Index count,
                           const std::vector<std::int32_t>& excluded) {
  check_factors(x, weight, count);
  const Int8Rows rows(x.dim(0), x.dim(1), {x.data(), x.dim(1)});
  return top_of_product(x.dim(0), weight, count, excluded,
                        [&](Index first, Index last, const ProductResult& logits) {
                          weight.multiply(rows, 0, rows.rows(), first, last, logits);
                        });
}

}  // namespace gradual
