// compare: ways to attend, on one task with one budget.
#include <gradual/core/files/folder.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "mixing.hpp"
#include "report.hpp"

namespace {

struct Settings : PageSettings {
  ContestSettings contest;
};

void run(Settings& settings) {
  gradual::make_folder(settings.out);
  settings.contest.seed = settings.seed;
  settings.contest.quiet = settings.json;
  add_mixings();
  const Task task = make_task(settings.contest);
  Report report(task, settings.contest);
  hold_contest(
      task, settings.contest, [&] { say_task(settings, report.head()); },  // not above an error
      [&](const Outcome& outcome) { report.add(outcome); });
  // The table at once, for bars would stand between its rows.
  std::cout << (settings.json ? report.json() : report.lines()) << std::endl;
  say_paragraphs(settings, {report.summary()});
  if (!settings.json) {
    std::cout << with_marks_in_colour(report.example_lines()) << "\n";
    if (const std::string mistake = report.mistake_lines(); !mistake.empty())
      std::cout << with_marks_in_colour(mistake) << "\n";
  }
  say_paragraphs(settings, {"Why they differ, and what each looks at, is on the page."});
  leave_page(settings, report.page());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  ContestSettings& contest = settings.contest;
  PageProgram program("compare",
                      "Trains no attention, additive, dot, scaled dot, multi-head, a local window, and "
                      "recurrent networks on one task with one budget.",
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
  return program.run(argc, argv, "of weights and data", [&] { run(settings); });
}
