// A graph attention network, and how it is trained.
#pragma once

#include <gradual/nn/data/labelled_graph.hpp>
#include <gradual/nn/graph/graph_attention.hpp>

struct NetworkSettings {
  gradual::Index heads = 8, head_width = 8;
  double dropout = 0.6;  // of the features that go into both layers, and of the attention weights
};

// Two layers of graph attention with an ELU between them; the second has one head (Veličković et al. 2018,
// §3.3, as for Cora).
class GraphNetwork {
 public:
  GraphNetwork(gradual::Index features, gradual::Index classes, const NetworkSettings& settings,
               gradual::Random random);
  void visit(gradual::Visitor& visitor);
  // Scores of the classes [N, C].
  gradual::Var logits(const gradual::SparseRows& features, const gradual::EdgeList& edges) const;

  gradual::GraphAttention inner, output;

 private:
  gradual::Dropout dropout_;
};

// Learned attention over the neighbours, the same weight for each of them, or no look at them.
enum class Neighbours { attended, averaged, ignored };

struct TrainingSettings {
  Neighbours neighbours = Neighbours::attended;
  double learning_rate = 0.005;
  double l2 = 5e-4;
  gradual::Index patience = 100, most_epochs = 100000;
  std::string name = "epochs";  // beside the bar that shows how far it is
  bool quiet = false;
};

struct Outcome {
  double validation_accuracy = 0, test_accuracy = 0;  // of 1
  gradual::Index epochs = 0;
  double cpu_seconds = 0;  // of all threads together: other programs on the machine change it little
};

// Trains on all nodes at once until neither loss nor accuracy on the validation part has improved for
// `patience` epochs, and leaves the network as it was when it was last the best so far in both.
Outcome train(GraphNetwork& network, const gradual::LabelledGraph& graph, const TrainingSettings& settings);
