// graph: what class does a node of a graph belong to? Told by attention over its neighbours, and without.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/threads.hpp>

#include "../command_line.hpp"
#include "communities.hpp"
#include "network.hpp"

using namespace gradual;

namespace {

struct Settings {
  std::string cora, out = "out/graph";
  Neighbours neighbours = Neighbours::attended;
  Index seeds = 10;
  std::uint64_t seed = 1;
  int threads = thread_count();
  bool json = false;
};

struct Statistics {
  double mean, deviation;
};

Statistics statistics(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (double value : values) mean += value / count;
  for (double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0};
}

// The published configuration (Veličković et al. 2018, §3.3), once for each seed.
void run_citations(const Settings& settings) {
  const LabelledGraph graph = read_labelled_graph(settings.cora);
  if (!settings.json)
    std::printf("%lld nodes, %lld edges (both ways, and each node to itself), %lld features, %lld classes\n",
                static_cast<long long>(graph.nodes()), static_cast<long long>(graph.edges.size()),
                static_cast<long long>(graph.features.columns()), static_cast<long long>(graph.classes));
  std::vector<double> accuracies, seconds;
  for (Index i = 0; i < settings.seeds; ++i) {
    const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(i);
    GraphNetwork network(graph.features.columns(), graph.classes, {}, Random(seed));
    TrainingSettings training;
    training.neighbours = settings.neighbours;
    const Outcome outcome = train(network, graph, training);
    accuracies.push_back(100 * outcome.test_accuracy);
    seconds.push_back(outcome.seconds);
    if (settings.json) continue;
    std::printf("seed %-4llu  test %.1f %%   validation %.1f %%   %5lld epochs   %5.1f s\n",
                static_cast<unsigned long long>(seed), accuracies.back(), 100 * outcome.validation_accuracy,
                static_cast<long long>(outcome.epochs), outcome.seconds);
    std::fflush(stdout);
  }
  const Statistics test = statistics(accuracies), time = statistics(seconds);
  if (settings.json)
    std::cout << nlohmann::ordered_json{{"test_accuracy", test.mean},
                                        {"deviation", test.deviation},
                                        {"seeds", settings.seeds},
                                        {"seconds_per_seed", time.mean}}
                     .dump()
              << std::endl;
  else
    std::printf("test accuracy %.2f ± %.2f %% over %lld seeds, %.1f s a seed\n", test.mean, test.deviation,
                static_cast<long long>(settings.seeds), time.mean);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Tells the classes of nodes by attention over their neighbours. Without --cora on a generated graph, "
      "three ways side by side.");
  app.add_option("--cora", settings.cora,
                 "a folder with nodes.txt and edges.txt, such as the citations of Cora; trains the published "
                 "configuration on it");
  app.add_option("--neighbours", settings.neighbours, "how the neighbours in --cora are weighed")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Neighbours>{{"attended", Neighbours::attended},
                                                                    {"averaged", Neighbours::averaged},
                                                                    {"ignored", Neighbours::ignored}}))
      ->default_str("attended");
  app.add_option("--seeds", settings.seeds, "how many seeds to train --cora with")
      ->transform(above_zero(settings.seeds))
      ->capture_default_str();
  add_seed(app, settings.seed, "the first seed");
  app.add_option("--threads", settings.threads, "threads")
      ->transform(above_zero(settings.threads))
      ->capture_default_str();
  app.add_option("--out", settings.out, "folder for the page of the generated graph")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  return run_program("graph", app, [&] {
    app.parse(argc, argv);
    set_thread_count(settings.threads);
    if (settings.cora.empty())
      run_communities(settings.seed, settings.out, settings.json);
    else
      run_citations(settings);
  });
}
