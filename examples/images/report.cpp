#include "report.hpp"

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "counting.hpp"

using namespace gradual;

namespace {

std::string number_of(Index count, const std::string& thing) {
  return text(count, " ", thing, count == 1 ? "" : "s");
}

const char* sign_of(Index shape) {
  constexpr const char* signs[] = {"×", "○", "□", "△", "▬"};
  return shape < 0 ? "·" : signs[shape];
}

const char* sign_of_arrow(Index arrow, Index target) {
  const Index step = target - arrow;
  return step == 1 ? "→" : step == -1 ? "←" : step > 0 ? "↓" : "↑";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> models(const Settings& settings) {
  return {{"attention among cells",
           text("each cell looks at all cells, in ", number_of(settings.rounds, "layer"), " with ",
                number_of(settings.heads, "head"), " each; a head is one way to look")},
          {"each cell alone", "no cell sees another; shapes can be counted at the end"}};
}

std::string columns_of_table(const Settings& settings) {
  return text("Tested on ", grouped_text(settings.tested),
              " new pictures. \"Weight there\" is the share of its attention that the arrow's cell gives to "
              "what it points at, in the best head, on average over ",
              looked_at_count, " others (the same on all cells: ",
              percent_text(1.0 / static_cast<double>(cells_of_picture), 0),
              "). Counting says a commonest shape.");
}

std::string introduction(const Settings& settings) {
  std::string lines = text(question,
                           "\n\nThe task: a picture of 5 × 5 cells holds an arrow and some shapes: cross ×,\n"
                           "ring ○, square □, triangle △, bar ▬. Which shape is in the cell next to the\n"
                           "arrow that it points at?\n\n"
                           "  ·  ×  ·  ○  ·\n"
                           "  ·  ▬  →  □  ·    answer: square\n"
                           "  ○  ·  ·  ·  ×\n"
                           "  ×  ·  △  ·  ·\n"
                           "  ·  ○  ·  ·  ·\n\n"
                           "Two models learn it from noisy pixels, in ",
                           grouped_text(settings.steps), " steps of ", settings.batch, " pictures (seed ",
                           settings.seed, "):\n");
  return lines_for_output(lines + legend(models(settings)));
}

ResultTable table_of_models(const Results& results) {
  ResultTable table({{"model", "", 0, "", 21},
                     {"accuracy", "right", 1, " %"},
                     {"on_target", "weight\nthere", 0, " %", 6},
                     {"parameters", "parameters"},
                     {"cpu_seconds", "CPU time", 1, " s"}});
  for (const Result* each : {&results.attention, &results.alone})
    table.add({each->name, each->curve.figure(), each->on_target, each->parameters,
               each->curve.processor_seconds()});
  return table.within(static_cast<std::size_t>(output_columns()));
}

ResultTable whole_table(const Results& results) {
  ResultTable table = table_of_models(results);
  table.part().add({"counting shapes", results.counting, {}, {}, {}});
  return table.add({"a guess", 100.0 / ArrowPictures::shapes, {}, {}, {}});
}

std::string lines_of_look(const Result& attention) {
  constexpr Index side = ArrowPictures::cells;
  constexpr std::size_t width = 4;
  const ArrowLook& look = attention.arrow_look;
  std::string grid;
  for (Index row = 0; row < side; ++row) {
    std::string shapes, weights;
    for (Index at = row * side; at < (row + 1) * side; ++at) {
      const std::size_t i = static_cast<std::size_t>(at);
      const std::string percent = fixed_text(100 * look.weights[i], 0);
      const std::string sign =
          at == look.arrow ? sign_of_arrow(look.arrow, look.target) : sign_of(look.shapes[i]);
      const std::string weight = right_in(width, percent == "0" ? "·" : percent);
      const bool is_target = at == look.target;
      shapes += "  " + (is_target || at == look.arrow ? in_colour(sign, Colour::accent) : sign);
      weights += is_target ? in_colour(weight, Colour::accent) : weight;
    }
    grid += shapes + "    " + weights + "\n";
  }
  return lines_for_output(
             text("A new picture, and the weights (%) of its arrow's cell in ", look.head, ":\n")) +
         grid +
         lines_for_output(text("\nA number stands where its cell stands, and · is 0: the arrow's cell gives ",
                               percent_text(look.weights[static_cast<std::size_t>(look.target)], 0),
                               " to the ", name_of_shape(look.answer), " that it points at. The model says ",
                               name_of_shape(look.said),
                               look.said == look.answer ? ", which is right." : ", which is wrong.",
                               " Counting would say ", said_by_counting(look.shapes), ", which is wrong.\n"));
}
