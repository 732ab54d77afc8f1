// A model whose work can be called off between two words.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include <gradual/nn/seq2seq/model.hpp>

/// What a LimitedModel throws when its work was called off or took too long.
struct CalledOff : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// While one lives, a LimitedModel works on this thread until `unwanted()` or the time is over.
class WorkLimit {
 public:
  WorkLimit(std::function<bool()> unwanted, std::chrono::milliseconds longest);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
  void check() const;  // throws CalledOff

 private:
  std::function<bool()> unwanted_;
  std::chrono::steady_clock::time_point end_;
  std::chrono::milliseconds longest_;
};

/// The same as another model, which outlives it.
class LimitedModel : public gradual::TranslationModel {
 public:
  explicit LimitedModel(gradual::TranslationModel& model) : model_(model) {}
  void visit(gradual::Visitor& visitor) override { model_.visit(visitor); }
  gradual::Index max_length() const override { return model_.max_length(); }
  gradual::Var loss(const gradual::TranslationBatch& batch,
                    const gradual::CrossEntropyOptions& options) const override;
  std::unique_ptr<State> start(const gradual::SourceBatch& source) const override;
  gradual::Tensor next(const gradual::Indices& ids, State& state) const override;
  gradual::TopClasses next_best(const gradual::Indices& ids, State& state, gradual::Index count,
                                const std::vector<std::int32_t>& excluded) const override;

 private:
  gradual::TranslationModel& model_;
};
