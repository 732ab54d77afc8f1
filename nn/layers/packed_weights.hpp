// Weights in the order and precision in which products read them, kept for many products.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <variant>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/rows/top_rows.hpp>

namespace gradual {

/// How a model that writes multiplies by its weights: as they are, or in 8 bits (see Int8Matrix).
enum class Precision { real, int8 };

/// Copies of a model's weights, for a model that is asked again and again while they stay as they are. Each
/// is made when it is first needed, and made again when its weight has changed. Threads may share one.
class PackedWeights {
 public:
  explicit PackedWeights(Precision precision = Precision::real) : precision_(precision) {}
  Precision precision() const { return precision_; }

  /// x·Wᵀ + b for x [..., in] and the rows first … last - 1 of the weight W [out, in] and of the bias b
  /// [out], which may be undefined. Where the precision is real, it is linear() but for rounding: a product
  /// with few rows spends most of its time on the order of the weight, which the copy has already.
  Tensor linear(const Tensor& x, const Var& weight, const Var& bias, Index first, Index last);
  /// See top_log_softmax() of core/rows/top_rows.hpp.
  TopClasses top_log_softmax(const Tensor& x, const Var& weight, Index count,
                             const std::vector<std::int32_t>& excluded);

  using Packed = std::variant<PackedMatrix, Int8Matrix>;
  /// The same for the weight of these rows alone, which is a copy of its own.
  Packed of_rows(const Var& weight, const std::vector<std::int32_t>& rows) const;

  /// While one of these lives, the linear layers that run on this thread multiply by these copies, and no
  /// operation records anything.
  class Use {
   public:
    explicit Use(PackedWeights& weights);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    NoGrad no_grad_;
    PackedWeights* before_;
  };
  /// What the linear layers on this thread multiply by, or null: the weights themselves.
  static PackedWeights* in_use();

 private:
  struct Copy {
    Tensor of;  // shares the numbers of the weight until these change
    std::shared_ptr<const Packed> packed;
  };
  Packed pack(const Tensor& weight) const;
  std::shared_ptr<const Packed> packed(const Tensor& weight, Index first, Index last);

  const Precision precision_;
  std::mutex mutex_;
  std::map<std::tuple<const Tensor*, Index, Index>, Copy> copies_;  // by weight, first and last row
};

/// top_log_softmax() of a weight in either form.
TopClasses top_log_softmax(const Tensor& x, const PackedWeights::Packed& weight, Index count,
                           const std::vector<std::int32_t>& excluded);

/// x·Wᵀ + b for x [..., in] and the rows first … last - 1 of the weight W [out, in] and of the bias b [out],
/// which may be undefined; by packed copies where these are in use.
Var linear_by_rows(const Var& x, const Var& weight, const Var& bias, Index first, Index last);

}  // namespace gradual
