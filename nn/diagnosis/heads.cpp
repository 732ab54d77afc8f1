#include <gradual/nn/diagnosis/heads.hpp>

#include <algorithm>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/recurrent/translator.hpp>

namespace gradual {

std::string ModelHead::name() const { return text(layer, ", head ", number + 1); }

std::vector<ModelHead> attention_heads(const std::vector<NamedParameter>& parameters,
                                       const std::function<void()>& compute) {
  AttentionRecorder recorder;
  {
    const EvaluationScope evaluation;
    const NoGrad no_grad;
    compute();
  }
  std::vector<ModelHead> heads;
  std::set<std::string> seen;  // a layer may run more than once
  for (const RecordedAttention& layer : recorder.recorded()) {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const NamedParameter& each) {
      return each.name == layer.layer + ".output.weight";
    });
    const Index count = layer.weights.dim(1);  // of [B, H, T, S]
    if (found == parameters.end() || found->variable.rank() != 2 || found->variable.dim(1) % count != 0 ||
        !seen.insert(layer.layer).second)
      continue;
    const Index width = found->variable.dim(1) / count;
    for (Index head = 0; head < count; ++head)
      heads.push_back({layer.layer, head, {{found->variable, head * width, (head + 1) * width}}});
  }
  return heads;
}

std::vector<ModelHead> attention_heads(TranslationModel& model) {
  if (const auto* recurrent = dynamic_cast<RecurrentTranslator*>(&model)) {
    if (!recurrent->attention) return {};
    const Var &gates = recurrent->context_gates.weight, &readout = recurrent->readout.weight;
    const Index context = recurrent->config().hidden_width;  // the last columns of what is read out
    return {{"decoder.cross_attention",
             0,
             {{gates, 0, gates.dim(1)}, {readout, readout.dim(1) - context, readout.dim(1)}}}};
  }
  const Indices word({1, 1}, {0});  // any will do to see which layers there are
  const TranslationBatch batch{{word, Indices({1}, {1})}, word, word};
  return attention_heads(parameters(model), [&] { model.loss(batch, {}); });
}

WithoutHead::WithoutHead(const ModelHead& head) {
  for (const auto& [weight, first, last] : head.readers)
    if (weight.rank() != 2 || first < 0 || first > last || last > weight.dim(1))
      throw std::invalid_argument(text("head ablation: a head must be columns of a matrix: ", head.name(),
                                       " is ", first, " to ", last, " of ", weight.shape()));
  for (const auto& [variable, first, last] : head.readers) {
    Var weight = variable;
    kept_.emplace_back(weight, weight.value());
    Tensor without = weight.value();
    Real* const numbers = without.mutable_data();
    for (Index row = 0; row < weight.dim(0); ++row)
      std::fill(numbers + row * weight.dim(1) + first, numbers + row * weight.dim(1) + last, Real(0));
    weight.set_value(std::move(without));
  }
}

WithoutHead::~WithoutHead() {
  while (!kept_.empty()) {  // the last first: two heads of one weight
    kept_.back().first.set_value(std::move(kept_.back().second));
    kept_.pop_back();
  }
}

}  // namespace gradual
