#include <gradual/nn/inspect/run_description.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

// How many weights the maps show. Each is a hundred bytes of the page.
std::size_t cells_of(const SentenceAttention& attention) {
  std::size_t cells = 0;
  for (const AttentionKind& kind : attention.kinds) {
    for (const std::vector<AttentionMap>& layer : kind.layers)
      for (const AttentionMap& map : layer) cells += map.weights.size();
  }
  return cells;
}

// What a text to test on is, and which of its sentences are shown.
std::string note_on(const Evaluation& evaluation) {
  const std::string which = " Shown are the first ten, and of those that came out wrong at most ten.";
  if (evaluation.name == "compositional")
    return "Compositional sentences have an adjective and a noun that never stood together in training, "
           "though each stood with others: to translate them is to have learnt the words." +
           which;
  return seen_in_training({evaluation}) + which;
}

// What the figures on top of the page are.
std::string note_on(const std::vector<Evaluation>& evaluations) {
  std::string note = seen_in_training(evaluations) +
                     " BLEU, from 0 to 100, counts the runs of one to four words that a translation shares "
                     "with the right one.";
  for (const Evaluation& each : evaluations)
    if (each.name == "compositional")
      note += " Compositional sentences have an adjective and a noun that never stood together in training.";
  return note;
}

}  // namespace

std::vector<IdleSetting> idle_settings(const std::string& used) {
  // These keys change nothing where another setting has this value, or any but this.
  struct Rule {
    std::set<std::string> keys;
    std::string other;
    bool has;
    std::string value;
  };
  static const std::vector<Rule> rules = {
      {{"subwords", "subword-kind"}, "units", false, "subwords"},
      {{"max-vocabulary"}, "units", true, "subwords"},
      {{"validate-every", "watch"}, "validation", true, "0"},
      {{"heads", "key-value-heads", "feed-forward", "encoder-layers", "decoder-layers", "norm", "norm-kind",
        "positions", "activation", "attention-dropout", "feed-forward-dropout"},
       "model",
       false,
       "transformer"},
      {{"snapshot-every"}, "average", true, "0"},
      {{"muon-scale"}, "optimizer", false, "muon"}};
  std::map<std::string, std::string> values = {{"validation", "0"}};
  const std::vector<ConfigLine> lines = lines_of(used);
  for (const ConfigLine& line : lines) values[line.key] = line.value;
  std::vector<IdleSetting> idle;
  for (const ConfigLine& line : lines)
    for (const Rule& rule : rules)
      if (rule.keys.count(line.key) > 0 && (values[rule.other] == rule.value) == rule.has)
        idle.push_back({line.key, rule.other + (rule.has ? " is " : " is not ") + rule.value});
  // R-Drop compares two passes that leave out other things. Below 0 are those that go with `dropout`.
  const auto leaves_out = [&](const char* key) {
    const auto is_it = [&](const IdleSetting& setting) { return setting.key == key; };
    return std::strtod(values[key].c_str(), nullptr) > 0 && std::none_of(idle.begin(), idle.end(), is_it);
  };
  if (values.count("r-drop") > 0 && !leaves_out("dropout") && !leaves_out("attention-dropout") &&
      !leaves_out("feed-forward-dropout") && !leaves_out("word-dropout"))
    idle.push_back({"r-drop", "dropout is 0, and nothing else is left out"});
  return idle;
}

std::vector<std::pair<std::string, std::string>> settings_in_effect(const std::string& used) {
  const std::vector<ConfigLine> lines = lines_of(used);
  std::set<std::string> idle;
  for (const IdleSetting& setting : idle_settings(used)) idle.insert(setting.key);
  for (const auto& [key, value] : lines)
    if (key == "beam" && value == "1")
      idle.insert({"length-penalty", "coverage-penalty"});  // another may count them
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [key, value] : lines) {
    const bool off = value == "none" || value == "false" || value == "-1" ||
                     (value == "0" && key != "seed" && key != "feed-forward-dropout");
    if (!off && idle.count(key) == 0) settings.emplace_back(key, value);
  }
  return settings;
}

RunResult result_of(const TrainingRun& run) {
  RunResult result;
  result.training = run.log().points();
  result.loss = run.log().recent_loss();
  result.best_validation = run.best_validation();
  result.seconds = run.trainer().seconds();
  result.tokens_per_second = run.tokens_per_second();
  result.steps = run.trainer().steps_done();
  result.pairs = run.sentences().pairs().size();
  result.left_out = run.left_out();
  if (run.validation()) result.validation_left_out = run.validation()->too_long();
  return result;
}

std::string seen_in_training(const std::vector<Evaluation>& evaluations) {
  for (const Evaluation& each : evaluations) {
    if (each.name != "test") continue;  // held-out sentences were kept back
    if (!each.trained_on) return "Whether these sentences were seen in training was not counted.";
    if (*each.trained_on > 0)
      return text(grouped_text(*each.trained_on), " of ",
                  grouped_text(static_cast<Index>(each.sentences.size())),
                  " sentences were trained on: of these the figures say how much was learnt by heart.");
  }
  return "None of these sentences was seen in training.";
}

double lowest_loss(double label_smoothing, Index vocabulary) {
  if (!(label_smoothing > 0) || vocabulary < 2) return 0;
  const auto tokens = static_cast<double>(vocabulary);
  const double other = label_smoothing / tokens, target = 1 - label_smoothing + other;
  return -target * std::log(target) - (tokens - 1) * other * std::log(other);
}

BeamOptions search_to_look_at(BeamOptions search) {
  search.beam_size = std::clamp<Index>(search.beam_size, 3, 5);
  search.n_best = search.beam_size;
  return search;
}

Run describe(const Translator& translator, const RunSettings& settings, const RunResult& result) {
  Run run;
  const std::string kind = translator.config().kind;
  const std::string model = kind == "recurrent"     ? "recurrent network"
                            : kind == "transformer" ? kind
                                                    : "model of kind \"" + kind + "\"";
  const auto formatted = [](const char* format, double value) {
    char number[32];
    std::snprintf(number, sizeof number, format, value);
    return std::string(number);
  };
  run.title = text("It read ", grouped_text(result.pairs), " sentence pairs; watch it learn");
  run.subtitle =
      text("A ", model, " of ", grouped_text(count(parameters(translator.model()))),
           " parameters learns to translate in ", grouped_text(result.steps),
           result.steps == 1 ? " step" : " steps", ", in ", formatted("%.0f s", result.seconds), ", ",
           grouped_text(std::llround(result.tokens_per_second)), " tokens a second; seed ", settings.seed);
  for (const Evaluation& each : result.evaluations) {
    run.figures.emplace_back(each.name + ": exactly right", formatted("%.2f %%", 100 * each.exact));
    run.figures.emplace_back(each.name + ": BLEU", formatted("%.2f", each.bleu.score));
  }
  run.training = result.training;
  run.lowest_loss = result.lowest_loss;
  run.two_passes = settings.r_drop > 0;
  run.milestones = result.milestones;
  constexpr std::size_t most_cells = 18000;
  std::size_t cells = 0;
  for (const Evaluation& each : result.evaluations) {
    TranslatedText shown{each.name, note_on(each), {}};
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < each.sentences.size(); ++i) {
      const Judged& judged = each.sentences[i];
      const bool right = judged.right();
      if (i < 10 || (!right && wrong++ < 10))
        shown.sentences.push_back({judged.source, judged.references.front(), judged.translation, right});
    }
    run.translations.push_back(std::move(shown));
    for (std::size_t i = 0; i < std::min<std::size_t>(3, each.sentences.size()); ++i) {
      const BeamOptions search = search_to_look_at(settings.test.search);
      run.searches.push_back(explain(translator, each.sentences[i].source, search));
      SentenceAttention attention = attention_of(translator, each.sentences[i].source, search);
      cells += cells_of(attention);
      const bool has_room = run.attention.empty() || cells <= most_cells;
      if (!attention.kinds.empty() && has_room)
        run.attention.push_back(std::move(attention));  // or it has none
    }
  }
  if (!result.evaluations.empty()) run.note_on_figures = note_on(result.evaluations);
  run.configuration = settings_in_effect(settings.used);
  run.note_on_configuration =
      "By the names of the options. What is 0 or none, and so off or left to the program, and what does not "
      "apply to this model is not shown; settings.conf beside this page has all of it.";
  run.configuration.emplace_back("threads", text(thread_count()));
  run.configuration.emplace_back("BLAS", blas_description());
  return run;
}

std::string figures_line(const Translator& translator, const RunResult& result) {
  Json figures = {{"steps", result.steps},
                  {"loss", result.loss},
                  {"training_seconds", result.seconds},
                  {"tokens_per_second", result.tokens_per_second},
                  {"parameters", count(parameters(translator.model()))},
                  {"pairs", result.pairs},
                  {"left_out", result.left_out}};
  if (result.validation_left_out > 0) figures["validation_left_out"] = result.validation_left_out;
  if (!std::isnan(result.best_validation)) figures["best_validation"] = result.best_validation;
  figures["held_out"] = json_of(gradual::figures(result.evaluations));
  return json_text(figures);
}

}  // namespace gradual
