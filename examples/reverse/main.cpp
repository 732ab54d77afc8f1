// reverse: a transformer learns to write sequences backwards, and shows where it looks.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../command_line.hpp"
#include "pictures.hpp"
#include "reversing.hpp"

namespace files = std::filesystem;
using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

std::string right_in(std::size_t width, const std::string& content) {
  return std::string(width - std::min(width, content.size()), ' ') + content;
}

std::string percent(double share) { return fixed_text(100 * share, 1) + " %"; }

void print_results(Transformer& model, const Settings& settings, const std::vector<Judged>& judged) {
  std::cout << "\nunseen sequences reversed exactly: " << percent(exact(judged)) << " of " << judged.size()
            << "\n\n  words    ";
  const auto groups = by_length(judged, static_cast<std::size_t>(settings.longest));
  for (const LengthGroup& group : groups) std::cout << right_in(10, group.name());
  std::cout << "\n  exact    ";
  for (const LengthGroup& group : groups)
    std::cout << right_in(10, group.judged.empty() ? "-" : percent(exact(group.judged)));
  std::cout << "\n\n";

  for (std::size_t i = judged.size() / 20; i < judged.size();
       i += std::max<std::size_t>(1, judged.size() / 5)) {
    const Judged& each = judged[i];
    std::cout << (each.right() ? "  ✓ " : "  ✗ ") << shown(each.pair.source) << "\n    "
              << shown(each.written) << "\n";
  }

  std::vector<EncodedPair> some;
  for (std::size_t i = 0; i < judged.size(); i += std::max<std::size_t>(1, judged.size() / 50))
    some.push_back(judged[i].pair);
  std::cout << "\nhow much of its weight each head gives to the word that is about to be written:\n";
  const auto weights = mirrored_weights(model, some);
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    std::cout << "  decoder layer " << layer + 1 << " ";
    for (double weight : weights[layer]) std::cout << "  " << fixed_text(weight, 2);
    std::cout << "\n";
  }
}

Json to_json(const Settings& settings, const TrainingResult& training, const std::vector<Judged>& judged,
             Index parameter_count) {
  Json lengths;
  for (const LengthGroup& group : by_length(judged, static_cast<std::size_t>(settings.longest))) {
    if (!group.judged.empty()) lengths[group.name()] = exact(group.judged);
  }
  return {{"seed", settings.seed},
          {"steps", settings.steps},
          {"training_seconds", training.seconds},
          {"gflop_a_step", training.gflop_a_step},
          {"parameters", parameter_count},
          {"unseen", judged.size()},
          {"exact", exact(judged)},
          {"exact_by_length", lengths}};
}

void run_training(const Settings& settings) {
  const ReversalTask task(settings.words, settings.longest);
  TransformerConfig config = settings.model;
  config.source_vocabulary = config.target_vocabulary = task.vocabulary_size();
  config.shared_embeddings = true;
  config.max_length = settings.longest + 3;
  Random random(settings.seed);
  Transformer model(config, random.split());
  const std::vector<EncodedPair> unseen = task.unseen(settings.unseen, random.split());
  make_folder(settings.out);

  const Index parameter_count = count(parameters(model));
  if (!settings.json)
    std::cout << settings.words << " words, sequences of 1 to " << settings.longest << "; " << parameter_count
              << " parameters; " << thread_count() << (thread_count() == 1 ? " thread" : " threads")
              << "\n\n  step      loss     exact      time\n";
  const TrainingResult training = train(model, settings, unseen, [&](const Standing& at) {
    if (settings.json) return;
    std::cout << right_in(6, std::to_string(at.step)) << right_in(10, fixed_text(at.loss, 3))
              << right_in(10, percent(at.exact)) << right_in(10, duration_text(at.seconds)) << std::endl;
  });
  const std::vector<Judged> judged = write_backwards(model, unseen);

  const std::string picture = (files::path(settings.out) / "attention.svg").string();
  const std::string page = (files::path(settings.out) / "page.html").string();
  write_file_atomically(picture, draw_attention_map(clearest_map(model, judged)));
  write_file_atomically(page, page_of(model, settings, training, judged));
  if (settings.json) {
    std::cout << to_json(settings, training, judged, parameter_count).dump() << std::endl;
    return;
  }
  std::cout << "\ntrained in " << fixed_text(training.seconds, 1) << " s: " << settings.steps << " steps of "
            << fixed_text(training.gflop_a_step, 2) << " GFLOP\n";
  print_results(model, settings, judged);
  std::cout << "\npicture  " << picture << "\npage     " << page << "\n";
}

void add_options(CLI::App& app, Settings& s, std::string& positions, int& threads) {
  const auto number = [&](const char* name, Index& value, const char* help) {
    app.add_option(name, value, help)->transform(above_zero(value))->capture_default_str();
  };
  number("--words", s.words, "different words");
  number("--longest", s.longest, "words of the longest sequence");
  number("--unseen", s.unseen, "sequences to test on, none of which is trained on");
  number("--width", s.model.width, "numbers that stand for a word inside the model");
  number("--heads", s.model.heads, "attention heads; they divide the width");
  number("--feed-forward", s.model.feed_forward, "inner width of the feed-forward networks");
  number("--encoder-layers", s.model.encoder_layers, "layers that read");
  number("--decoder-layers", s.model.decoder_layers, "layers that write");
  app.add_option("--positions", positions, "how word order enters")
      ->check(CLI::IsMember(position_kinds().names()))
      ->capture_default_str();
  number("--steps", s.steps, "updates of the parameters");
  number("--batch-tokens", s.batch_tokens, "the most words of a batch on either side, padding included");
  app.add_option("--learning-rate", s.schedule.peak, "the largest learning rate")
      ->transform(above_zero(s.schedule.peak))
      ->capture_default_str();
  number("--warmup", s.schedule.warmup, "steps in which it rises to that");
  add_seed(app, s.seed, "decides the first weights and all sequences");
  app.add_option("--threads", threads, "threads that share the work; 0: as many as there are cores")
      ->transform(between(0, 64))
      ->capture_default_str();
  app.add_option("--out", s.out, "folder for the picture and the page")->capture_default_str();
  app.add_flag("--json", s.json, "print one JSON line of figures and nothing else");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Trains a transformer to write sequences backwards, and draws where it looks."};
  Settings settings;
  settings.model.width = 64;
  settings.model.feed_forward = 128;
  settings.model.decoder_layers = 1;
  settings.model.dropout = 0;
  settings.schedule = {Decay::cosine, 5e-3, 100, 0};
  std::string positions = "sinusoidal";
  int threads = 0;
  add_options(app, settings, positions, threads);
  return run_program("reverse", app, [&] {
    app.parse(argc, argv);
    settings.model.positions = positions;
    settings.schedule.total = settings.steps;
    if (threads > 0) set_thread_count(std::min(threads, hardware_threads()));
    run_training(settings);
  });
}
