// positions: how far each kind of position carries beyond the lengths of training.
#include <gradual/core/files/folder.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "report.hpp"

namespace {

struct Settings : PageSettings {
  LengthSettings lengths;
};

void run(Settings& settings) {
  gradual::make_folder(settings.out);
  settings.lengths.seed = settings.seed;
  settings.lengths.quiet = settings.json;
  PositionReport report(settings.lengths);
  compare_positions(
      settings.lengths, [&] { say_task(settings, report.head()); },  // not above an error
      [&](const LengthOutcome& outcome) { report.add(outcome); });
  std::cout << (settings.json ? report.json() : report.lines()) << std::endl;
  say_paragraphs(settings, {report.summary()});
  if (!settings.json) std::cout << report.longer_lines() << "\n";
  say_paragraphs(settings,
                 {"What each gives to places, and what a question looks at, is drawn on the page."});
  leave_page(settings, report.page());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  LengthSettings& lengths = settings.lengths;
  PageProgram program(
      "positions",
      "Trains one layer of attention with each kind of position on sequences of one length, and "
      "tests it on shorter and longer ones.",
      settings);
  const Options& add = program.options;
  add.positive("steps", lengths.steps, "training steps of each kind");
  add.positive("batch", lengths.batch, "sequences in a batch");
  add.positive("trained-length", lengths.trained_length, "length of the sequences to train on");
  add.positive("lengths", lengths.lengths, "lengths to test on")->delimiter(',');
  add.positive("width", lengths.width, "width of the models");
  add.positive("heads", lengths.heads, "heads of the attention; they divide the width");
  add.positive("learning-rate", lengths.learning_rate, "its peak");
  return program.run(argc, argv, "of weights and sequences", [&] { run(settings); });
}
