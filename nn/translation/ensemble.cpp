#include <gradual/nn/translation/ensemble.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
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

using Layers = std::vector<RecordedAttention>;

// The heads of several layers as those of one. A member that computes all words so far again has recorded
// that of all of them; what counts are the last ones. One with a window has forgotten the first words, which
// have no weight.
RecordedAttention with_all_heads(const Layers& layers) {
  Index queries = layers.front().weights.dim(2), keys = 0;
  for (const RecordedAttention& layer : layers) {
    queries = std::min(queries, layer.weights.dim(2));
    keys = std::max(keys, layer.weights.dim(3));
  }
  std::vector<Tensor> heads;
  for (const RecordedAttention& layer : layers) {
    const Tensor& weights = layer.weights;
    const Tensor forgotten = Tensor::zeros({weights.dim(0), weights.dim(1), queries, keys - weights.dim(3)});
    heads.push_back(concat({forgotten, slice(weights, 2, weights.dim(2) - queries, weights.dim(2))}, 3));
  }
  return {layers.front().layer, concat(heads, 1), layers.front().to};
}

// What members recorded as if it were one model: of each kind, their last layers are one, and so are those
// before them.
Layers as_one(const std::vector<Layers>& members) {
  using IsOfKind = bool (*)(const RecordedAttention&);
  const IsOfKind kinds[] = {[](const RecordedAttention& layer) { return layer.is_of_encoder(); },
                            [](const RecordedAttention& layer) {
                              return !layer.is_of_encoder() && layer.to == AttentionTo::itself;
                            },
                            [](const RecordedAttention& layer) { return layer.to == AttentionTo::source; }};
  Layers result;
  for (const IsOfKind is_of_kind : kinds) {
    std::vector<Layers> from_last_to_first;
    for (const Layers& member : members) {
      std::size_t place = 0;
      for (auto layer = member.rbegin(); layer != member.rend(); ++layer) {
        if (!is_of_kind(*layer)) continue;
        if (place == from_last_to_first.size()) from_last_to_first.emplace_back();
        from_last_to_first[place++].push_back(*layer);
      }
    }
    std::transform(from_last_to_first.rbegin(), from_last_to_first.rend(), std::back_inserter(result),
                   with_all_heads);
  }
  return result;
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
    std::size_t changed = 0;
    const auto restore = [&] {  // all stay as they are
      while (changed > 0) members_[--changed].model().set_precision(before);
    };
    try {
      for (; changed < members_.size(); ++changed) members_[changed].model().set_precision(precision);
    } catch (const std::invalid_argument& error) {
      const std::string problem = text("ensemble: member ", changed + 1, ": ", error.what());
      restore();
      throw std::invalid_argument(problem);
    } catch (...) {
      restore();
      throw;
    }
  }
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    Var sum;
    for_each_member([&](std::size_t i) {
      const Var loss = members_[i].model().loss(batch, options);
      sum = i == 0 ? loss : sum + loss;
    });
    return sum * share_;
  }
  std::unique_ptr<State> start(const SourceBatch& source) const override {
    auto state = std::make_unique<EnsembleState>();
    for_each_member([&](std::size_t i) { state->members.push_back(members_[i].model().start(source)); });
    return state;
  }
  Tensor next(const Indices& ids, State& state) const override {
    const auto& states = own_state<EnsembleState>(state).members;
    std::vector<Tensor> each;
    for_each_member(
        [&](std::size_t i) { each.push_back(log_softmax(members_[i].model().next(ids, *states[i]))); });
    return log_mean_exp(each);
  }

 private:
  // Who records attention gets that of all of them as one model's.
  template <class Run>
  void for_each_member(Run run) const {
    AttentionRecorder* const asked = AttentionRecorder::current();
    std::vector<Layers> recorded;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::optional<AttentionRecorder> own;
      if (asked) own.emplace();
      run(i);
      if (own) recorded.push_back(own->recorded());
    }
    for (RecordedAttention& layer : as_one(recorded))
      asked->add(layer.layer, std::move(layer.weights), layer.to);
  }

  std::vector<Translator> members_;
  Real share_;
};

void require_same(const Language& first, const Language& other, const char* side, std::size_t number) {
  if (language_to_json(first) != language_to_json(other))
    throw std::invalid_argument(
        text("ensemble: all members must read and write the same tokens: on the ", side, " side, member ",
             number, " has others than member 1; train all on the same sentences, cut in the same way"));
}

// The lines of the first member's notes that all others have, too.
std::string common_lines(const std::vector<Translator>& members) {
  const auto lines_in = [](const std::string& notes) {
    std::vector<std::string> lines;
    std::istringstream stream(notes);
    for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
    return lines;
  };
  std::vector<std::string> common = lines_in(members.front().notes());
  for (const Translator& member : members) {
    const std::vector<std::string> its = lines_in(member.notes());
    const auto is_missing = [&](const std::string& line) {
      return std::find(its.begin(), its.end(), line) == its.end();
    };
    common.erase(std::remove_if(common.begin(), common.end(), is_missing), common.end());
  }
  return std::accumulate(common.begin(), common.end(), std::string());
}

}  // namespace

Translator ensemble(std::vector<Translator> members) {
  if (members.empty()) throw std::invalid_argument("ensemble: there must be a member: there is none");
  for (std::size_t i = 1; i < members.size(); ++i) {
    require_same(members.front().source(), members[i].source(), "source", i + 1);
    require_same(members.front().target(), members[i].target(), "target", i + 1);
  }
  const Language source = members.front().source(), target = members.front().target();
  const std::string notes = common_lines(members);
  Translator together(std::make_unique<EnsembleModel>(std::move(members)), source, target);
  together.set_notes(notes);
  return together;
}

}  // namespace gradual
