#include "communities.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/data/communities.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "drawing.hpp"
#include "network.hpp"

using namespace gradual;

namespace {

struct Trial {
  std::string name;
  Neighbours neighbours;
  Outcome outcome;
  Tensor weights;  // [N, N]: what each node gives to each in the second layer
};

Tensor mean_of_heads(const Tensor& weights) {  // [1, H, N, N] to [N, N]
  const NoGrad no_grad;
  return reshape(mean(Var(weights), {1}), {weights.dim(2), weights.dim(3)}).value();
}

Trial attempt(const std::string& name, Neighbours neighbours, const LabelledGraph& graph,
              std::uint64_t seed) {
  NetworkSettings network_settings;
  network_settings.dropout = 0.3;
  GraphNetwork network(graph.features.columns(), graph.classes, network_settings, Random(seed));
  TrainingSettings settings;
  settings.neighbours = neighbours;
  settings.learning_rate = 0.01;
  settings.l2 = 1e-4;
  settings.patience = 50;
  settings.most_epochs = 500;
  Trial trial{name, neighbours, train(network, graph, settings), {}};
  const NoGrad no_grad;
  AttentionRecorder recorder;
  network.logits(graph.features, graph.edges);
  trial.weights = mean_of_heads(recorder.recorded().back().weights);
  return trial;
}

bool is_person(const LabelledGraph& graph, Index node) {
  return graph.labels[static_cast<std::size_t>(node)] >= 0;
}

// The share of the weights of all people that goes to advertisers.
double share_of_advertisers(const LabelledGraph& graph, const Tensor& weights) {
  double share = 0, people = 0;
  for (Index i = 0; i < graph.nodes(); ++i) {
    if (!is_person(graph, i)) continue;
    ++people;
    for (Index j = 0; j < graph.nodes(); ++j) {
      if (!is_person(graph, j)) share += static_cast<double>(weights({i, j}));
    }
  }
  return share / people;
}

// The last `count` people of each community, who all belong to the test part.
std::vector<Index> some_people(const LabelledGraph& graph, Index count) {
  std::vector<Index> result;
  for (std::int32_t label = 0; label < graph.classes; ++label) {
    Index left = count;
    for (Index i = graph.nodes() - 1; i >= 0 && left > 0; --i) {
      if (graph.labels[static_cast<std::size_t>(i)] != label) continue;
      result.push_back(i);
      --left;
    }
  }
  return result;
}

struct Neighbour {
  std::string name;
  double weight;
};

// Whom a person looks at, the largest weight first, advertisers together and last.
std::vector<Neighbour> neighbours_of(const LabelledGraph& graph, const Tensor& weights, Index person) {
  std::vector<Neighbour> result;
  Neighbour advertisers{"", 0};
  Index count = 0;
  for (Index k = graph.edges.into(person).first; k < graph.edges.into(person).last; ++k) {
    const Index j = graph.edges.sources()[k];
    const auto weight = static_cast<double>(weights({person, j}));
    if (is_person(graph, j)) {
      result.push_back({j == person ? "self" : text("friend ", j), weight});
    } else {
      advertisers.weight += weight;
      ++count;
    }
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  advertisers.name = text(count, " advertisers together");
  result.push_back(advertisers);
  return result;
}

std::string percent(double share) { return fixed_text(100 * share, 1) + " %"; }

std::string page(const LabelledGraph& graph, const std::vector<Trial>& trials, std::uint64_t seed) {
  Html html;
  html.paragraph(
      "People write to some of their community, and advertisers write to people of all. To be told is the "
      "community of each person. What a person speaks of says little about it, what friends speak of says "
      "much, and what advertisers speak of, who are most of the neighbours, says nothing.");
  std::vector<std::vector<std::string>> rows;
  for (const Trial& trial : trials)
    rows.push_back({trial.name, percent(trial.outcome.test_accuracy), text(trial.outcome.epochs),
                    fixed_text(trial.outcome.seconds, 1) + " s"});
  html.table({"Neighbours", "Test accuracy", "Epochs", "Time"}, rows);
  html.heading(2, "Who looks at whom");
  html.paragraph(
      "Three people of each community, large, and the edges into them, each as thick as its weight in the "
      "second layer and in the colour of whom it comes from; advertisers are in the middle.");
  const std::vector<Index> shown = some_people(graph, 3);
  std::vector<std::string> pictures;
  for (const Trial& trial : trials) {
    if (trial.neighbours != Neighbours::ignored)
      pictures.push_back(draw_attention_in_graph(graph, trial.weights, shown, trial.name));
  }
  html.pictures(pictures);
  return html_page("Which neighbours to listen to", text("a graph of ", graph.nodes(), " nodes, seed ", seed),
                   html);
}

void print(const LabelledGraph& graph, const std::vector<Trial>& trials) {
  std::printf("%lld people in %lld communities, %lld advertisers, %lld edges\n\n",
              static_cast<long long>(std::count_if(graph.labels.begin(), graph.labels.end(),
                                                   [](std::int32_t label) { return label >= 0; })),
              static_cast<long long>(graph.classes),
              static_cast<long long>(std::count(graph.labels.begin(), graph.labels.end(), -1)),
              static_cast<long long>(graph.edges.size()));
  std::printf("%-26s%15s%10s%10s%30s\n", "", "test accuracy", "epochs", "time",
              "weight given to advertisers");
  for (const Trial& trial : trials) {
    std::printf("%-26s%15s%10lld%8.1f s", trial.name.c_str(), percent(trial.outcome.test_accuracy).c_str(),
                static_cast<long long>(trial.outcome.epochs), trial.outcome.seconds);
    if (trial.neighbours == Neighbours::ignored)
      std::printf("\n");
    else
      std::printf("%30s\n", percent(share_of_advertisers(graph, trial.weights)).c_str());
  }
  std::printf("\nWhom people look at, by attention in the second layer:\n");
  for (Index person : some_people(graph, 1)) {
    std::printf("person %lld of community %d:", static_cast<long long>(person),
                graph.labels[static_cast<std::size_t>(person)] + 1);
    for (const Neighbour& each : neighbours_of(graph, trials.back().weights, person))
      std::printf("  %s %.2f", each.name.c_str(), each.weight);
    std::printf("\n");
  }
}

}  // namespace

void run_communities(std::uint64_t seed, const std::string& out, bool json) {
  make_folder(out);
  const LabelledGraph graph = make_communities({}, seed);
  const std::vector<Trial> trials = {attempt("ignored", Neighbours::ignored, graph, seed),
                                     attempt("averaged", Neighbours::averaged, graph, seed),
                                     attempt("by attention", Neighbours::attended, graph, seed)};
  const std::string file = out + "/page.html";
  write_file_atomically(file, page(graph, trials, seed));
  if (json) {
    nlohmann::ordered_json line = nlohmann::ordered_json::array();
    for (const Trial& trial : trials)
      line.push_back({{"neighbours", trial.name},
                      {"test_accuracy", trial.outcome.test_accuracy},
                      {"epochs", trial.outcome.epochs},
                      {"seconds", trial.outcome.seconds}});
    std::cout << line.dump() << std::endl;
    return;
  }
  print(graph, trials);
  std::printf("page  %s\n", file.c_str());
}
