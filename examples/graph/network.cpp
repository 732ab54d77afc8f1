#include "network.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include <gradual/nn/training/accuracy.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "../terminal/reporter.hpp"

using namespace gradual;

GraphNetwork::GraphNetwork(Index features, Index classes, const NetworkSettings& settings, Random random)
    : inner(features, settings.head_width, settings.heads, HeadJoin::concat, settings.dropout, random,
            "inner"),
      output(settings.heads * settings.head_width, classes, 1, HeadJoin::mean, settings.dropout, random,
             "output"),
      dropout_(settings.dropout, random) {}

void GraphNetwork::visit(Visitor& visitor) {
  visitor("inner", inner);
  visitor("output", output);
  visitor("dropout", dropout_);
}

Var GraphNetwork::logits(const SparseRows& features, const EdgeList& edges) const {
  const Var projected = features.linear(inner.projection.weight, dropout_.next_mask());
  const Var hidden = elu(inner.attend(projected, edges));
  return output(dropout_(hidden), edges);
}

namespace {

// λ/2·Σ w²: its gradient is λ·w.
Var penalty(const std::vector<NamedParameter>& weights, double l2) {
  Var total = Tensor::scalar(0);
  for (const NamedParameter& weight : weights) total = total + sum(weight.variable * weight.variable);
  return total * static_cast<Real>(l2 / 2);
}

// With both at zero, every neighbour gets the same score.
void fix_equal_attention(GraphAttention& layer, std::vector<NamedParameter>& weights) {
  for (Var* score : {&layer.source_scores, &layer.target_scores}) {
    score->set_value(Tensor::zeros(score->shape()));
    const auto is_score = [&](const NamedParameter& each) { return each.variable.is_same_as(*score); };
    weights.erase(std::remove_if(weights.begin(), weights.end(), is_score), weights.end());
  }
}

}  // namespace

Outcome train(GraphNetwork& network, const LabelledGraph& graph, const TrainingSettings& settings) {
  std::vector<NamedParameter> weights = parameters(network);
  if (settings.neighbours == Neighbours::averaged) {
    fix_equal_attention(network.inner, weights);
    fix_equal_attention(network.output, weights);
  }
  const EdgeList edges = settings.neighbours == Neighbours::ignored
                             ? neighbourhoods(graph.nodes(), Indices(), Indices())
                             : graph.edges;
  const Indices taught = graph.labels_of(Part::train), watched = graph.labels_of(Part::validation);
  Adam adam(weights, {0.9, 0.999, 1e-8, 0});
  Trainer trainer(network, adam, {Decay::constant, settings.learning_rate, 0, settings.most_epochs}, {0});
  show_progress(trainer, settings.most_epochs, settings.name, settings.quiet);
  const auto logits = [&] { return network.logits(graph.features, edges); };

  double lowest_loss = std::numeric_limits<double>::infinity(), highest_accuracy = 0;
  auto best = values_of(weights);
  Index waited = 0;
  trainer.every(1, [&](const TrainingStep&) {
    const NoGrad no_grad;
    const Var now = logits();
    const auto loss = static_cast<double>(cross_entropy(now, watched).value().item());
    const double right = accuracy(now.value(), watched);
    const bool lower = loss <= lowest_loss, higher = right >= highest_accuracy;
    if (lower && higher) best = values_of(weights);
    lowest_loss = std::min(lowest_loss, loss);
    highest_accuracy = std::max(highest_accuracy, right);
    waited = lower || higher ? 0 : waited + 1;
    if (waited == settings.patience) trainer.stop();
  });
  const std::clock_t start = std::clock();
  trainer.run([&](Index) { return cross_entropy(logits(), taught) + penalty(weights, settings.l2); });
  const double cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;

  set_parameters(weights, best);
  const NoGrad no_grad;
  const Tensor final_logits = logits().value();
  return {accuracy(final_logits, watched), accuracy(final_logits, graph.labels_of(Part::test)),
          trainer.steps_done(), cpu_seconds};
}
