// compare: ways to attend on one task with one budget, and kinds of positions beyond the lengths of training.
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/line_text.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "mixing.hpp"
#include "report.hpp"

namespace {

struct Settings : PageSettings {
  ContestSettings contest;
  LengthSettings lengths;
};

// What stands below a table, an empty line before each paragraph.
std::string below(const std::vector<std::string>& paragraphs) {
  std::string lines;
  for (const std::string& each : paragraphs) lines += each.empty() ? "" : "\n" + each + "\n";
  return lines + "\n";
}

void run(Settings& settings) {
  gradual::make_folder(settings.out);
  settings.contest.seed = settings.lengths.seed = settings.seed;
  const auto say = [&](const std::string& text) {
    if (!settings.json) std::cout << text << std::flush;
  };
  add_mixings();
  const Task task = make_task(settings.contest);
  Report report(task, settings.contest, settings.lengths);
  const auto room = static_cast<std::size_t>(output_columns());
  report.way_table.within(room);
  report.position_table.within(room);
  settings.contest.quiet = settings.lengths.quiet = settings.json;
  hold_contest(
      task, settings.contest, [&] { say(wrapped_for_output(report.contest_head())); },  // not above an error
      [&](const Outcome& outcome) { report.add(outcome); });
  std::vector<std::string> of_ways = report.contest_findings();
  of_ways.insert(of_ways.begin(), {report.contest_summary(), report.contest_columns()});
  say(report.way_table.lines() +  // at once, for bars would stand between its rows
      wrapped_for_output(below(of_ways) + report.length_head()));
  compare_positions(settings.lengths, [&](const LengthOutcome& outcome) { report.add(outcome); });
  say(report.position_lines() + wrapped_for_output(below({report.length_summary(), report.length_reason()})));
  leave_page(settings, report.page());
  if (settings.json) std::cout << report.json() << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  ContestSettings& contest = settings.contest;
  LengthSettings& lengths = settings.lengths;
  PageProgram program(
      "compare",
      "Trains no attention, additive, dot, scaled dot, multi-head, a local window, and recurrent "
      "networks on one task with one budget; then each kind of position, tested beyond the "
      "lengths of training.",
      settings);
  const Options& add = program.options;
  add.positive("steps", contest.steps, "training steps of each way to attend");
  add.positive("batch-tokens", contest.batch_tokens, "tokens in a batch");
  add.positive("test-sentences", contest.test_sentences, "held-out sentences");
  add.positive("width", contest.width, "width of the models");
  add.positive("heads", contest.heads, "heads where there are several; they divide the width");
  add.positive("layers", contest.layers, "layers of encoder and decoder");
  add.positive("window", contest.window, "places to either side that the local window sees");
  add.positive("learning-rate", contest.learning_rate, "its peak");
  add.positive("position-steps", lengths.steps, "training steps of each kind of position");
  add.positive("trained-length", lengths.trained_length,
               "length of the sequences that positions are trained on");
  add.positive("lengths", lengths.lengths, "lengths that positions are tested on")->delimiter(',');
  return program.run(argc, argv, "of weights and data", [&] { run(settings); });
}
