// graph: what class does a node of a graph belong to? Told by attention over its neighbours, and without.
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>

#include "../mean_and_spread.hpp"
#include "communities.hpp"
#include "network.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  std::string cora;
  Neighbours neighbours = Neighbours::attended;
  Index seeds = 10;
  Index epochs = TrainingSettings().most_epochs;
};

// The published configuration (Veličković et al. 2018, §3.3), once for each seed.
void run_citations(const Settings& settings) {
  const auto say = [&](const std::string& line) {
    if (!settings.json) std::cout << line << std::endl;
  };
  const LabelledGraph graph = read_labelled_graph(settings.cora);
  say(text(graph.nodes(), " nodes, ", graph.edges.size(), " edges (both ways, and each node to itself), ",
           graph.features.columns(), " features, ", graph.classes, " classes"));
  std::vector<double> accuracies, seconds;
  for (Index i = 0; i < settings.seeds; ++i) {
    const std::uint64_t seed = settings.seed + static_cast<std::uint64_t>(i);
    GraphNetwork network(graph.features.columns(), graph.classes, {}, Random(seed));
    TrainingSettings training;
    training.neighbours = settings.neighbours;
    training.most_epochs = settings.epochs;
    training.quiet = settings.json;
    const Outcome outcome = train(network, graph, training);
    accuracies.push_back(100 * outcome.test_accuracy);
    seconds.push_back(outcome.cpu_seconds);
    say(text("seed ", left_in(4, text(seed)), "  test ", percent_text(outcome.test_accuracy),
             "   validation ", percent_text(outcome.validation_accuracy), "   ",
             right_in(5, text(outcome.epochs)), " epochs   ", right_in(5, fixed_text(outcome.cpu_seconds, 1)),
             " s of CPU"));
  }
  const MeanAndSpread test = mean_and_spread(accuracies), time = mean_and_spread(seconds);
  say(text("test accuracy ", fixed_text(test.mean, 2), " ± ", fixed_text(test.spread, 2), " % over ",
           settings.seeds, " seeds, ", fixed_text(time.mean, 1), " s of CPU a seed"));
  if (settings.json)
    std::cout << json_text(Json{{"test_accuracy", test.mean},
                                {"deviation", test.spread},
                                {"seeds", settings.seeds},
                                {"cpu_seconds_per_seed", time.mean}})
              << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program("graph",
                      "Tells the classes of nodes by attention over their neighbours. Without --cora on a "
                      "generated graph, three ways side by side.",
                      settings);
  const Options& add = program.options;
  CLI::Option* cora =
      add.folder("cora", settings.cora,
                 "a folder with nodes.txt and edges.txt, such as the citations of Cora; trains "
                 "the published configuration on it");
  std::string neighbours = "attended";
  add.choice("neighbours", neighbours, "how the neighbours in --cora are weighed",
             {"attended", "averaged", "ignored"})
      ->needs(cora);
  add.positive("seeds", settings.seeds, "how many seeds to train --cora with")->needs(cora);
  add.positive("epochs", settings.epochs, "how many epochs to train --cora for at most")->needs(cora);
  return program.run(argc, argv, "the first seed", [&] {
    settings.neighbours = neighbours == "attended"   ? Neighbours::attended
                          : neighbours == "averaged" ? Neighbours::averaged
                                                     : Neighbours::ignored;
    settings.cora.empty() ? run_communities(settings) : run_citations(settings);
  });
}
