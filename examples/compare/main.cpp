// compare: ways to attend on one task with one budget, and kinds of positions beyond the lengths of training.
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>

#include "../command_line.hpp"
#include "mixing.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

struct Settings {
  ContestSettings contest;
  LengthSettings lengths;
  int threads = thread_count();
  std::string out = "out/compare";
  bool json = false;
};

void run(Settings& settings) {
  set_thread_count(settings.threads);
  settings.lengths.seed = settings.contest.seed;
  const auto say = [&](const std::string& text) {
    if (!settings.json) std::cout << text << std::flush;
  };
  add_mixings();
  const Task task = make_task(settings.contest);
  say(contest_head(task, settings.contest));
  const auto contest =
      hold_contest(task, settings.contest, [&](const Outcome& outcome) { say(contest_line(outcome)); });
  say(length_head(settings.lengths));
  const auto lengths =
      compare_positions(settings.lengths, [&](const LengthOutcome& outcome) { say(length_line(outcome)); });
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(task, contest, settings.contest, lengths, settings.lengths));
  say("page  " + file + "\n");
  if (settings.json) std::cout << to_json(contest, lengths, settings.lengths).dump() << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  ContestSettings& contest = settings.contest;
  LengthSettings& lengths = settings.lengths;
  CLI::App app(
      "Trains no attention, additive, dot, scaled dot, multi-head, a local window, and recurrent networks on "
      "one task "
      "with one budget; then each kind of position, tested beyond the lengths of training.");
  const auto add = [&](const char* name, auto& value, const char* description) {
    app.add_option(name, value, description)->transform(above_zero(value))->capture_default_str();
  };
  add("--steps", contest.steps, "training steps of each way to attend");
  add("--batch-tokens", contest.batch_tokens, "tokens in a batch");
  add("--test-sentences", contest.test_sentences, "held-out sentences");
  add("--width", contest.width, "width of the models");
  add("--heads", contest.heads, "heads where there are several");
  add("--layers", contest.layers, "layers of encoder and decoder");
  add("--window", contest.window, "places to either side that the local window sees");
  add("--learning-rate", contest.learning_rate, "its peak");
  add("--position-steps", lengths.steps, "training steps of each kind of position");
  add("--trained-length", lengths.trained_length, "length of the sequences that positions are trained on");
  app.add_option("--lengths", lengths.lengths, "lengths that positions are tested on")
      ->delimiter(',')
      ->transform(above_zero(lengths.lengths));
  add_seed(app, contest.seed, "of weights and data");
  add("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print both tables as one JSON line");
  return run_program("compare", app, [&] {
    app.parse(argc, argv);
    run(settings);
  });
}
