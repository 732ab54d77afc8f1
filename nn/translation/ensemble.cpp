#include <gradual/nn/translation/ensemble.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/text/language_json.hpp>

namespace gradual {
namespace {

struct EnsembleState : TranslationModel::State {
  std::vector<std::unique_ptr<TranslationModel::State>> members;

  void select(const std::vector<Index>& rows) override {
    for (const auto& member : members) member->select(rows);
  }
};

// log(1/N · Σ exp(x)) place by place, where no x is too low for its exponential to be a number: the largest
// is taken out of the sum.
Tensor log_mean_exp(const std::vector<Tensor>& all) {
  Tensor most = all.front();
  for (const Tensor& x : all) most = maximum(most, x);
  Tensor sum = Tensor::zeros(most.shape());
  const Tensor finite = maximum(most, std::numeric_limits<Real>::lowest());  // -∞ less -∞ is no number
  for (const Tensor& x : all) sum = sum + exp(x - finite);
  return log(sum / static_cast<Real>(all.size())) + finite;
}

class EnsembleModel final : public TranslationModel {
 public:
  explicit EnsembleModel(std::vector<Translator> members)
      : members_(std::move(members)), share_(Real(1) / static_cast<Real>(members_.size())) {}

  void visit(Visitor& visitor) override {
    for (std::size_t i = 0; i < members_.size(); ++i)
      visitor("members." + std::to_string(i), members_[i].model());
  }
  Index max_length() const override {
    Index least = 0;  // of those that have an end
    for (const Translator& member : members_) {
      const Index most = member.model().max_length();
      if (most > 0) least = least > 0 ? std::min(least, most) : most;
    }
    return least;
  }
  Precision precision() const override { return members_.front().model().precision(); }
  void set_precision(Precision precision) override {
    const Precision before = this->precision();
    try {
      for (const Translator& member : members_) member.model().set_precision(precision);
    } catch (...) {  // one of them cannot, and stays as it is
      for (const Translator& member : members_)
        if (member.model().precision() != before) member.model().set_precision(before);
      throw;
    }
  }
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    Var sum = members_.front().model().loss(batch, options);
    for (std::size_t i = 1; i < members_.size(); ++i) sum = sum + members_[i].model().loss(batch, options);
    return sum * share_;
  }
  std::unique_ptr<State> start(const SourceBatch& source) const override {
    auto state = std::make_unique<EnsembleState>();
    for (const Translator& member : members_) state->members.push_back(member.model().start(source));
    return state;
  }
  Tensor next(const Indices& ids, State& state) const override {
    const auto& states = dynamic_cast<EnsembleState&>(state).members;
    std::vector<Tensor> each;
    for (std::size_t i = 0; i < members_.size(); ++i)
      each.push_back(log_softmax(members_[i].model().next(ids, *states[i])));
    return log_mean_exp(each);
  }

 private:
  std::vector<Translator> members_;
  Real share_;
};

void require_same(const Language& first, const Language& other, const char* side, std::size_t number) {
  if (language_to_json(first) != language_to_json(other))
    throw std::invalid_argument(text("ensemble: all members must read and write the same tokens: on the ",
                                     side, " side, member ", number,
                                     " has others than member 1; train all on the same sentences"));
}

}  // namespace

Translator ensemble(std::vector<Translator> members) {
  if (members.empty()) throw std::invalid_argument("ensemble: there must be a member: there is none");
  for (std::size_t i = 1; i < members.size(); ++i) {
    require_same(members.front().source(), members[i].source(), "source", i + 1);
    require_same(members.front().target(), members[i].target(), "target", i + 1);
  }
  const Language source = members.front().source(), target = members.front().target();
  const std::string notes = members.front().notes();
  Translator together(std::make_unique<EnsembleModel>(std::move(members)), source, target);
  together.set_notes(notes);
  return together;
}

}  // namespace gradual
