#include "communities.hpp"

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/data/communities.hpp>
#include <gradual/nn/drawing/group_graph.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>

#include "../in_code.hpp"
#include "../terminal/console.hpp"
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
              const PageSettings& page_settings) {
  const std::uint64_t seed = page_settings.seed;
  NetworkSettings network_settings;
  network_settings.dropout = 0.3;
  GraphNetwork network(graph.features.columns(), graph.classes, network_settings, Random(seed));
  TrainingSettings settings;
  settings.neighbours = neighbours;
  settings.learning_rate = 0.01;
  settings.l2 = 1e-4;
  settings.patience = 50;
  settings.most_epochs = 500;
  settings.name = name;
  settings.quiet = page_settings.json;
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

// What came out, in a sentence or two.
std::string summary_of(const LabelledGraph& graph, const std::vector<Trial>& trials) {
  const Trial &ignored = trials[0], &averaged = trials[1], &attended = trials[2];
  const auto right = [](const Trial& trial) { return percent_text(trial.outcome.test_accuracy); };
  const auto wasted = [&](const Trial& trial) {
    return percent_text(share_of_advertisers(graph, trial.weights));
  };
  return text("Attention over the neighbours tells the community of ", right(attended),
              " of the people in the test, their average that of ", right(averaged),
              ", and without a look at them it is ", right(ignored), ". Attention gives ", wasted(attended),
              " of its weight to advertisers, the average ", wasted(averaged), ".");
}

// How a picture draws the people of a community.
std::string colour_of(std::int32_t label) {
  const std::vector<std::string> names{"blue", "orange", "green", "violet"};
  const auto which = static_cast<std::size_t>(label);
  return which < names.size() ? ", " + names[which] : "";
}

std::string page(const LabelledGraph& graph, const std::vector<Trial>& trials, const ResultTable& table,
                 std::uint64_t seed) {
  Html html;
  html.paragraph(summary_of(graph, trials));
  html.paragraph(
      "People write to some of their community, and advertisers write to people of all. The task is to tell "
      "each person's community. What the person speaks of says little about it, and what friends speak of "
      "says much. What advertisers speak of says nothing, though most neighbours are advertisers.");
  html.table(table.titles(), table.rows()).heading(2, "Who looks at whom");
  html.paragraph(
      "Three people of each community, large, and the edges into them, each as thick as its weight in the "
      "second layer and in the colour of whom it comes from; advertisers are in the middle.");
  std::vector<std::string> names, pictures;
  for (Index i = 0; i < graph.nodes(); ++i)
    names.push_back(text(is_person(graph, i) ? "person " : "advertiser ", i));
  for (const Trial& trial : trials) {
    if (trial.neighbours != Neighbours::ignored)
      pictures.push_back(draw_group_graph(graph.edges, graph.labels, names, trial.weights,
                                          some_people(graph, 3), trial.name));
  }
  html.pictures(pictures);
  html.heading(2, "One person at a time");
  html.paragraph("Point at a person, tap, or go on with the tab key: whom they look at, by attention.");
  std::vector<Html::Choice> people;
  for (const Index person : some_people(graph, 3)) {
    std::vector<std::pair<std::string, double>> shares;
    for (const Neighbour& each : neighbours_of(graph, trials.back().weights, person))
      shares.emplace_back(each.name, each.weight);
    Html content;
    Html bars;
    bars.markup("<div style=\"width:420px;max-width:100%\">")  // else they are as narrow as their words
        .bars("Weight in the second layer", shares)
        .markup("</div>\n");
    content.beside(bars, draw_group_graph(graph.edges, graph.labels, names, trials.back().weights, {person},
                                          names[static_cast<std::size_t>(person)]));
    const std::int32_t label = graph.labels[static_cast<std::size_t>(person)];
    people.push_back(
        {names[static_cast<std::size_t>(person)], content, text("community ", label + 1, colour_of(label))});
  }
  html.choices("Person", people, Html::Chooser::words);
  add_places_in_code(html, "graph",
                     {{"nn/graph/graph_attention.cpp", "attention along edges"},
                      {"examples/graph/network.cpp", "the network"},
                      {"nn/data/communities.cpp", "the graph"}});
  return html_page("Which neighbours to listen to", text("a graph of ", graph.nodes(), " nodes, seed ", seed),
                   html);
}

std::string head(const LabelledGraph& graph) {
  return text(
      "The task: which community is a person of? Friends are mostly of the same one,\n"
      "but advertisers know everybody: a model has to choose to whom it listens.\n\n",
      std::count_if(graph.labels.begin(), graph.labels.end(), [](auto label) { return label >= 0; }),
      " people in ", graph.classes, " communities, ",
      std::count(graph.labels.begin(), graph.labels.end(), -1), " advertisers, ",
      grouped_text(static_cast<Index>(graph.edges.size())), " edges\n");
}

std::string whom_they_look_at(const LabelledGraph& graph, const Tensor& weights) {
  constexpr std::size_t usual = 80;
  const auto known = static_cast<std::size_t>(output_columns());
  const std::size_t room = known > 0 ? std::min(known, usual) : usual;
  std::string lines = "\nWhom people look at, by attention in the second layer:\n";
  for (const Index person : some_people(graph, 1)) {
    lines += text("person ", person, " of community ", graph.labels[static_cast<std::size_t>(person)] + 1);
    std::size_t used = room;  // of the line; each neighbour stands whole
    for (const Neighbour& each : neighbours_of(graph, weights, person)) {
      const std::string look = each.name + " " + fixed_text(each.weight, 2);
      const bool fits = used + 2 + look.size() < room;
      lines += (fits ? ", " : used == room ? "\n  " : ",\n  ") + look;
      used = (fits ? used : 0) + 2 + look.size();
    }
    lines += "\n";
  }
  return lines;
}

}  // namespace

void run_communities(const PageSettings& settings) {
  make_folder(settings.out);
  const std::uint64_t seed = settings.seed;
  const LabelledGraph graph = make_communities({}, seed);
  say_task(settings, head(graph));
  const std::vector<Trial> trials = {attempt("ignored", Neighbours::ignored, graph, settings),
                                     attempt("averaged", Neighbours::averaged, graph, settings),
                                     attempt("by attention", Neighbours::attended, graph, settings)};
  ResultTable table({{"neighbours", "neighbours", 0, "", 12},
                     {"test_accuracy", "test accuracy", 1, " %"},
                     {"epochs", "epochs"},
                     {"cpu_seconds", "CPU time", 1, " s"},
                     {"to_advertisers", "weight given to advertisers", 1, " %"}});
  table.within(static_cast<std::size_t>(output_columns()));
  for (const Trial& each : trials) {
    const bool looks = each.neighbours != Neighbours::ignored;
    table.add({each.name, 100 * each.outcome.test_accuracy, each.outcome.epochs, each.outcome.cpu_seconds,
               looks ? 100 * share_of_advertisers(graph, each.weights) : ResultTable::Cell()});
  }
  if (settings.json)
    std::cout << table.json() << std::endl;
  else
    std::cout << table.lines() << "\n"
              << wrapped_for_output(summary_of(graph, trials)) << "\n"
              << whom_they_look_at(graph, trials.back().weights);
  leave_page(settings, page(graph, trials, table, seed));
}
