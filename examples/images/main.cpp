// images: what does the arrow point at? Read by attention among the patches of a picture, and without.
#include <gradual/core/files/folder.hpp>

#include "../terminal/console.hpp"
#include "counting.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

void run(const Settings& settings) {
  make_folder(settings.out);
  const std::uint64_t test_seed = settings.seed + 1000003;
  const ArrowPictures test = draw_arrow_pictures(settings.tested, settings.noise, Random(test_seed));
  PictureModel(settings.width, settings.heads, settings.rounds, Among::attention, Random(0));  // or an error
  say_task(settings, introduction(settings));
  const Result alone = train("each cell alone", Among::none, test, settings);
  const Results results{train("attention among cells", Among::attention, test, settings, &alone), alone,
                        share_right_by_counting(test, test_seed)};
  if (settings.json)
    std::cout << table_of_models(results).json() << std::endl;
  else
    std::cout << lines_of_look(results.attention) << "\n"
              << lines_for_output(columns_of_table(settings) + "\n\n") << whole_table(results).lines()
              << "\n";
  say_paragraphs(settings, {summary_of(results, settings.tested)});
  say_paragraphs(settings, {how_it_looks(results.attention), plateau_of(results)});
  if (std::optional<ResultTable> stages = table_of_stages(results); stages && !settings.json)
    std::cout << stages->within(static_cast<std::size_t>(output_columns())).lines() << "\n";
  leave_page(settings, page(results, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program("images",
                      "Trains models to say what an arrow in a picture points at, with attention among its "
                      "cells and without.",
                      settings);
  const Options& add = program.options;
  add.positive("steps", settings.steps, "training steps");
  add.positive("batch", settings.batch, "pictures in a step");
  add.positive("tested", settings.tested, "pictures to test on");
  add.positive("width", settings.width, "numbers that stand for a cell; even");
  add.positive("heads", settings.heads, "heads of a layer; they divide the width");
  add.positive("rounds", settings.rounds, "layers of attention, or without");
  add.positive("learning-rate", settings.learning_rate, "its peak");
  add.not_negative("noise", settings.noise, "its deviation on each pixel");
  return program.run(argc, argv, "of weights and pictures", [&] { run(settings); });
}
