#include "within_budget.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>

#include "library_text.hpp"
#include "training_run.hpp"

using namespace gradual;

namespace {

// At most what an Index holds.
Index product(Index a, Index b) {
  Index result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<Index>::max() : result;
}

constexpr int seconds_to_train = 240;  // of computing: ten times what the budgets take

const std::vector<std::string>& settings_of_a_student() {
  static const std::vector<std::string> names = {"attention",
                                                 "attention-dropout",
                                                 "width",
                                                 "dropout",
                                                 "heads",
                                                 "feed-forward",
                                                 "encoder-layers",
                                                 "decoder-layers",
                                                 "norm",
                                                 "norm-kind",
                                                 "key-value-heads",
                                                 "positions",
                                                 "activation",
                                                 "steps",
                                                 "batch-tokens",
                                                 "accumulate",
                                                 "learning-rate",
                                                 "warmup",
                                                 "decay",
                                                 "label-smoothing",
                                                 "clip",
                                                 "weight-decay",
                                                 "average",
                                                 "snapshot-every",
                                                 "ema",
                                                 "beam",
                                                 "length-penalty"};
  return names;
}

std::string names_of_settings() {
  std::string names;
  for (const std::string& name : settings_of_a_student()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::map<std::string, std::string> read_settings(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  const auto problem = [](const std::string& key) -> std::string {
    const auto& known = settings_of_a_student();
    return std::find(known.begin(), known.end(), key) != known.end()
               ? ""
               : key + " is not yours to set; you may set " + names_of_settings();
  };
  std::map<std::string, std::string> settings;
  for (const auto& [key, value] : read_config(lines, name, problem)) settings[key] = value;
  return settings;
}

Index number_in(const std::map<std::string, std::string>& settings, const std::string& key, Index otherwise) {
  const auto found = settings.find(key);
  if (found == settings.end()) return otherwise;
  Index number = 0;
  const std::string& value = found->second;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || rest != value.data() + value.size() || number < 1 || number > 10'000'000)
    throw std::invalid_argument(key + " must be a whole number from 1 on: got " + value);
  return number;
}

double mean_of(std::vector<double>::const_iterator first, std::vector<double>::const_iterator last) {
  return std::accumulate(first, last, 0.0) / static_cast<double>(std::max<std::ptrdiff_t>(last - first, 1));
}

}  // namespace

std::string settings_starter(const Part& part) {
  return "# " + part.number() + "  " + part.title + " (" + std::to_string(part.points) + " points)\n#\n" +
         comment(part.task + " The goal: BLEU " + text(part.goal->bleu) + " with at most " +
                     std::to_string(part.goal->tokens) + " tokens (steps · batch-tokens · accumulate) and " +
                     std::to_string(part.goal->parameters) + " parameters.",
                 "#") +
         "#\n" + comment("You may set: " + names_of_settings() + ".", "#") +
         "\nsteps = 100\nbatch-tokens = 1024\nlearning-rate = 0.0003\nwarmup = 100\nwidth = 32\n";
}

std::string lesson_of(const Goal& goal, const std::vector<double>& losses, Index tokens, Index parameters) {
  if (losses.size() < 20)
    return "So few steps teach little: each is a small one, and smaller batches make more of the same "
           "tokens.";
  const auto tenth = static_cast<std::ptrdiff_t>(losses.size() / 10);
  const double first = losses.front(), last = mean_of(losses.end() - tenth, losses.end());
  double best = first;
  for (auto i = losses.begin(); i + tenth <= losses.end(); i += tenth)
    best = std::min(best, mean_of(i, i + tenth));
  if (!(last < 1.2 * first))
    return "The loss rose above where it began: the learning rate is too high, or rises too fast.";
  if (last > 1.3 * best) return "The loss fell and rose again: the learning rate is too high.";
  if (last > 0.55 * first)
    return "The loss has hardly fallen: the learning rate is too low, or most of the steps are warm-up.";
  if (4 * tokens < 3 * goal.tokens)
    return "More than a quarter of the tokens are left: it could learn for longer.";
  const double before = mean_of(losses.end() - 3 * tenth, losses.end() - 2 * tenth);
  if (last < 0.85 * before)
    return "The loss was still falling fast when it ended: smaller batches take more steps with the same "
           "tokens, "
           "and a rate that falls to 0 ends well.";
  if (2 * parameters < goal.parameters)
    return "Less than half of the parameters are used: a wider model learns more from the same tokens.";
  return "";
}

Verdict judge_training(const Workshop& workshop, const Part& part, const std::string& written,
                       std::uint64_t seed) {
  Verdict verdict;
  verdict.part = part;
  verdict.state = Verdict::State::refused;
  if (written == settings_starter(part)) {
    verdict.state = Verdict::State::undone;
    return verdict;
  }
  const Goal& goal = *part.goal;
  std::vector<std::string> options = {"--model", goal.model, "--seed", std::to_string(seed % 1'000'000'007)};
  Index tokens = 0;
  try {
    const auto settings = read_settings(written, part.file());
    tokens = product(product(number_in(settings, "steps", 2000), number_in(settings, "batch-tokens", 1024)),
                     number_in(settings, "accumulate", 1));
    for (const auto& [key, value] : settings) {
      options.push_back("--" + key);
      options.push_back(value);
    }
  } catch (const std::exception& error) {
    verdict.state = Verdict::State::errors;
    verdict.problem = std::string(error.what()) + "\n";
    return verdict;
  }
  if (tokens > goal.tokens) {
    verdict.problem = text("It asks for ", tokens, " tokens (steps · batch-tokens · accumulate), and has ",
                           goal.tokens, ".\n");
    return verdict;
  }
  make_target(workshop, "translate");
  const TrainingRun run = run_training(workshop.build + "/bin/translate", options, seconds_to_train);
  verdict.layers = run.layers;
  if (run.parameters > goal.parameters) {
    verdict.problem = text("It has ", run.parameters, " parameters, of at most ", goal.parameters, ".\n");
    return verdict;
  }
  if (run.loss)
    verdict.evidence =
        text("BLEU ", run.bleu, " of ", goal.bleu, "; ", tokens, " of ", goal.tokens, " tokens; ",
             run.parameters, " of ", goal.parameters, " parameters; the loss went from ",
             run.losses.empty() ? 0 : run.losses.front(), " to ", *run.loss, ".");
  verdict.state = run.loss && run.bleu >= goal.bleu ? Verdict::State::right : Verdict::State::wrong;
  if (verdict.state == Verdict::State::right) return verdict;
  verdict.problem = run.problem;
  verdict.diagnosis = lesson_of(goal, run.losses, tokens, run.parameters);
  return verdict;
}
