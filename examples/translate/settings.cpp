#include "settings.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

using gradual::FileError;
using gradual::text;

namespace {

struct ConfigLine {
  std::string key, value;
};

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// Presets are config files that the program carries with it.
const std::map<std::string, std::string>& presets() {
  static const std::map<std::string, std::string> all = {
      {"toy", R"(
width = 64
heads = 4
feed-forward = 128
encoder-layers = 2
decoder-layers = 2
dropout = 0.05
steps = 2000
batch-tokens = 1024
learning-rate = 0.003
warmup = 150
decay = cosine
label-smoothing = 0.05
)"},
      {"short-sentences", R"(
max-words = 10
lower-case = true
min-count = 2
max-vocabulary = 10000
width = 128
heads = 4
feed-forward = 512
encoder-layers = 3
decoder-layers = 3
dropout = 0.1
steps = 3000
batch-tokens = 3000
learning-rate = 0.003
warmup = 300
decay = cosine
label-smoothing = 0.1
out = out/short-sentences
)"},
  };
  return all;
}

// The fewest letters to insert, remove or change that make one word the other (Levenshtein 1966).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

std::string nearest_option(const CLI::App& command, const std::string& key) {
  std::string nearest;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    if (nearest.empty() || edit_distance(key, name) < edit_distance(key, nearest)) nearest = name;
  }
  return nearest;
}

// Lines `key = value`, empty lines, and comments after #.
std::vector<ConfigLine> read_config(const CLI::App& command, std::istream& lines, const std::string& path) {
  std::vector<ConfigLine> result;
  std::string line;
  for (std::int64_t number = 1; std::getline(lines, line); ++number) {
    const std::string content = trimmed(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    const auto equals = content.find('=');
    if (equals == std::string::npos)
      throw FileError::at_line(path, number, "a line must be `key = value`: got \"" + content + "\"");
    ConfigLine entry{trimmed(content.substr(0, equals)), trimmed(content.substr(equals + 1))};
    if (entry.value.size() >= 2 && entry.value.front() == '"' && entry.value.back() == '"')
      entry.value = entry.value.substr(1, entry.value.size() - 2);
    if (entry.key == "config" || !command.get_option_no_throw("--" + entry.key))
      throw FileError::at_line(
          path, number,
          "unknown key \"" + entry.key + "\"; did you mean \"" + nearest_option(command, entry.key) + "\"?");
    result.push_back(std::move(entry));
  }
  return result;
}

// The value of `--name value` or `--name=value`.
std::optional<std::string> argument(const std::vector<std::string>& arguments, const std::string& name) {
  std::optional<std::string> value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == name && i + 1 < arguments.size()) value = arguments[i + 1];
    if (arguments[i].rfind(name + "=", 0) == 0) value = arguments[i].substr(name.size() + 1);
  }
  return value;
}

}  // namespace

void add_train_options(CLI::App& command, TrainSettings& s) {
  // A later value overrides an earlier one: that is how presets and config files come first.
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  std::vector<std::string> names;
  for (const auto& each : presets()) names.push_back(each.first);

  command
      .add_option("--preset", s.preset, "values for everything below, overridden by --config and by options")
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->group("Settings");
  command.add_option("--config", "a file of lines `option = value`, overridden by options")
      ->group("Settings");

  command
      .add_option("--tsv", s.tsv,
                  "train on a file of lines `source TAB target`; without a file, on the embedded corpus")
      ->group("Text");
  command.add_option("--source", s.source_file, "train on two files with one sentence a line: the source …")
      ->group("Text");
  command.add_option("--target", s.target_file, "… and its translations")->group("Text");
  command.add_option("--max-words", s.max_words, "leave out pairs with more words on either side; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Text");
  command
      .add_option("--held-out", s.held_out, "distinct source sentences that are not trained on but tested")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Text");
  command.add_flag("--lower-case", s.lower_case, "train on lower-cased text")->group("Text");
  command.add_option("--min-count", s.min_count, "words seen less often are unknown")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Text");
  command.add_option("--max-vocabulary", s.max_vocabulary, "the most words a vocabulary holds")
      ->check(CLI::Range(5, 1000000))
      ->capture_default_str()
      ->group("Text");

  command.add_option("--width", s.model.width, "numbers that stand for a word inside the model")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Model");
  command.add_option("--heads", s.model.heads, "attention heads; they divide the width")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Model");
  command.add_option("--feed-forward", s.model.feed_forward, "inner width of the feed-forward networks")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Model");
  command.add_option("--encoder-layers", s.model.encoder_layers, "layers that read")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Model");
  command.add_option("--decoder-layers", s.model.decoder_layers, "layers that write")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Model");
  command.add_option("--dropout", s.model.dropout, "share of numbers that training zeroes")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str()
      ->group("Model");
  command.add_option("--attention-dropout", s.model.attention_dropout, "the same for attention weights")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str()
      ->group("Model");
  command.add_option("--norm", s.norm, "layer norms before or after each part")
      ->check(CLI::IsMember({"before", "after"}))
      ->capture_default_str()
      ->group("Model");
  command.add_option("--positions", s.positions, "how word order enters")
      ->check(CLI::IsMember({"sinusoidal", "learned", "relative", "alibi", "rotary", "none"}))
      ->capture_default_str()
      ->group("Model");
  command.add_option("--activation", s.activation, "of the feed-forward networks")
      ->check(CLI::IsMember({"relu", "gelu"}))
      ->capture_default_str()
      ->group("Model");

  command.add_option("--steps", s.steps, "updates of the parameters")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Training");
  command
      .add_option("--batch-tokens", s.batch_tokens,
                  "the most tokens of a batch on either side, padding included")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Training");
  command.add_option("--learning-rate", s.schedule.peak, "the largest learning rate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Training");
  command.add_option("--warmup", s.schedule.warmup, "steps in which it rises to that")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Training");
  command.add_option("--decay", s.decay, "how it falls afterwards")
      ->check(CLI::IsMember({"constant", "inverse-square-root", "linear", "cosine"}))
      ->capture_default_str()
      ->group("Training");
  command
      .add_option("--label-smoothing", s.label_smoothing,
                  "share of the target's probability spread over all words")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str()
      ->group("Training");
  command.add_option("--clip", s.clip, "the longest gradient; 0: any")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Training");
  command.add_option("--weight-decay", s.weight_decay, "of AdamW")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Training");
  command
      .add_option("--seed", s.seed, "decides the corpus, the split, the first weights, the order and dropout")
      ->capture_default_str()
      ->group("Training");
  command.add_option("--threads", s.threads, "threads that share the work; 0: as many as there are cores")
      ->check(CLI::Range(0, 64))
      ->capture_default_str()
      ->group("Training");
  command.add_option("--checkpoint-every", s.checkpoint_every, "steps between checkpoints")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Training");

  command.add_option("--out", s.out, "folder for the model, the log, the held-out sentences and the page")
      ->capture_default_str()
      ->group("Result");
  command.add_flag("--resume", s.resume, "go on from the checkpoint in that folder")->group("Result");
  command.add_flag("--json", s.json, "print one JSON line of figures and nothing else")->group("Result");
}

void finish_settings(TrainSettings& s) {
  if (s.source_file.empty() != s.target_file.empty())
    throw std::invalid_argument("train: --source and --target belong together: one is missing");
  if (!s.tsv.empty() && !s.source_file.empty())
    throw std::invalid_argument(
        "train: the text comes from --tsv or from --source and --target, not from both");
  s.model.norm = s.norm == "before" ? gradual::NormPlace::before : gradual::NormPlace::after;
  s.model.positions = gradual::position_kind(s.positions);
  s.model.activation = s.activation == "gelu" ? gradual::Activation::gelu : gradual::Activation::relu;
  s.schedule.decay = gradual::decay_named(s.decay);
  s.schedule.total = s.steps;
  if (s.threads > 0) gradual::set_thread_count(std::min(s.threads, gradual::hardware_threads()));
}

std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments) {
  std::vector<ConfigLine> config;
  if (const auto path = argument(arguments, "--config")) {
    std::ifstream file(*path);
    if (!file) throw FileError(*path, "cannot be read");
    config = read_config(command, file, *path);
  }
  std::string preset = "toy";
  for (const ConfigLine& line : config) {
    if (line.key == "preset") preset = line.value;
  }
  preset = argument(arguments, "--preset").value_or(preset);

  std::vector<std::string> result;
  const auto found = presets().find(preset);  // an unknown one is refused when its option is parsed
  if (found != presets().end()) {
    std::istringstream lines(found->second);
    for (const ConfigLine& line : read_config(command, lines, "preset " + preset))
      result.push_back("--" + line.key + "=" + line.value);
  }
  for (const ConfigLine& line : config) result.push_back("--" + line.key + "=" + line.value);
  result.insert(result.end(), arguments.begin(), arguments.end());
  return result;
}
