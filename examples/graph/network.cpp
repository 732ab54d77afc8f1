#include "network.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include <gradual/nn/training/optimizer.hpp>

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

// The share of the nodes with a label, -1 meaning none, whose largest logit is that of their label.
double accuracy(const Tensor& logits, const Indices& labels) {
  const Index classes = logits.dim(1);
  Index right = 0, all = 0;
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) continue;
    const Real* row = logits.data() + i * classes;
    right += std::max_element(row, row + classes) - row == labels[i];
    ++all;
  }
  return static_cast<double>(right) / static_cast<double>(std::max<Index>(all, 1));
}

// λ/2·Σ w²: its gradient is λ·w.
Var penalty(const std::vector<NamedParameter>& weights, double l2) {
  Var total = Tensor::scalar(0);
  for (const NamedParameter& weight : weights) total = total + sum(weight.variable * weight.variable);
  return total * static_cast<Real>(l2 / 2);
}

std::vector<std::pair<std::string, Tensor>> values_of(const std::vector<NamedParameter>& weights) {
  std::vector<std::pair<std::string, Tensor>> values;
  for (const NamedParameter& weight : weights) values.emplace_back(weight.name, weight.variable.value());
  return values;
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
  const auto start = std::chrono::steady_clock::now();
  std::vector<NamedParameter> weights = parameters(network);
  if (settings.neighbours == Neighbours::averaged) {
    fix_equal_attention(network.inner, weights);
    fix_equal_attention(network.output, weights);
  }
  const EdgeList edges = settings.neighbours == Neighbours::ignored
                             ? neighbourhoods(graph.nodes(), Indices(), Indices())
                             : graph.edges;
  const Indices taught = graph.labels_of(Part::train), watched = graph.labels_of(Part::validation);
  AdamOptions options;
  options.beta2 = 0.999;
  options.epsilon = 1e-8;
  Adam adam(weights, options);
  const auto evaluate = [&] {
    const NoGrad no_grad;
    set_training(network, false);
    return network.logits(graph.features, edges);
  };

  Outcome outcome;
  double lowest_loss = std::numeric_limits<double>::infinity(), highest_accuracy = 0;
  auto best = values_of(weights);
  for (Index waited = 0; waited < settings.patience && outcome.epochs < settings.most_epochs; ++waited) {
    ++outcome.epochs;
    zero_gradients(weights);
    set_training(network, true);
    backward(cross_entropy(network.logits(graph.features, edges), taught) + penalty(weights, settings.l2));
    adam.step(settings.learning_rate);

    const Var logits = evaluate();
    const auto loss = static_cast<double>(cross_entropy(logits, watched).value().item());
    const double right = accuracy(logits.value(), watched);
    if (loss > lowest_loss && right < highest_accuracy) continue;
    if (loss <= lowest_loss && right >= highest_accuracy) best = values_of(weights);
    lowest_loss = std::min(lowest_loss, loss);
    highest_accuracy = std::max(highest_accuracy, right);
    waited = -1;
  }
  set_parameters(weights, best);
  const Tensor logits = evaluate().value();
  outcome.validation_accuracy = accuracy(logits, watched);
  outcome.test_accuracy = accuracy(logits, graph.labels_of(Part::test));
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}
