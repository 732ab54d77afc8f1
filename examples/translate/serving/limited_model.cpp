#include "limited_model.hpp"

#include <utility>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

thread_local const WorkLimit* limit_here = nullptr;

void check_limit() {
  if (limit_here) limit_here->check();
}

}  // namespace

WorkLimit::WorkLimit(std::function<bool()> unwanted, std::chrono::milliseconds longest)
    : unwanted_(std::move(unwanted)), end_(std::chrono::steady_clock::now() + longest), longest_(longest) {
  limit_here = this;
}

WorkLimit::~WorkLimit() { limit_here = nullptr; }

void WorkLimit::check() const {
  if (unwanted_()) throw CalledOff("nobody waits for the answer any more");
  if (std::chrono::steady_clock::now() > end_)
    throw CalledOff(text("the answer takes longer than ", longest_.count() / 1000,
                         " s; a shorter sentence or a narrower beam takes less"));
}

Var LimitedModel::loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const {
  check_limit();
  return model_.loss(batch, options);
}

std::unique_ptr<TranslationModel::State> LimitedModel::start(const SourceBatch& source) const {
  check_limit();
  return model_.start(source);
}

Tensor LimitedModel::next(const Indices& ids, State& state) const {
  check_limit();
  return model_.next(ids, state);
}

TopClasses LimitedModel::next_best(const Indices& ids, State& state, Index count,
                                   const std::vector<std::int32_t>& excluded) const {
  check_limit();
  return model_.next_best(ids, state, count, excluded);
}
