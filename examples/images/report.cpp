#include "report.hpp"

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "counting.hpp"

using namespace gradual;

namespace {

constexpr const char* question = "What does the arrow point at?";

std::string number_of(Index count, const std::string& thing) {
  return text(count, " ", thing, count == 1 ? "" : "s");
}

// The models, and what they can do.
std::vector<std::pair<std::string, std::string>> models(const Settings& settings) {
  return {{"attention among cells",
           text("each cell looks at all cells, in ", number_of(settings.rounds, "layer"), " with ",
                number_of(settings.heads, "head"), " each; a head is one way to look")},
          {"each cell alone",
           "no cell sees another; what all say is put together at the end, where shapes can be counted"}};
}

std::string columns_of_table(const Settings& settings) {
  return text("Tested on ", grouped_text(settings.tested),
              " new pictures. \"Weight there\" is the share of its attention that the arrow's cell gives to "
              "the cell that it points at, in the best head; even weights are the same on all cells. "
              "Counting is to name the commonest shape, and of several one at random.");
}

// How the arrow's cell comes to know; "" where it does not look at what it points at yet.
std::string how_it_looks(const Result& attention) {
  const double* const share = std::get_if<double>(&attention.on_target);
  if (share == nullptr || *share < 50) return "";
  return "How: each cell is told where it stands, and the arrow's cell knows its direction. In the best head "
         "it gives most of its weight to the neighbour there, and so takes over the shape.";
}

// What came out, in a sentence or two.
std::string summary_of(const Results& results, Index tested) {
  const auto& [attention, alone, counting] = results;
  const double right = alone.curve.figure(), chance = chance_off(right, static_cast<double>(tested));
  return text(attention.curve.figure() < counting + 20
                  ? "In short: where cells look at one another, they have not learnt where to look yet: give "
                    "it more --steps."
                  : "In short: where cells look at one another, the model finds what the arrow points at.",
              right > counting + chance ? ""
              : right < counting - chance
                  ? " Where each is alone, it does not even count yet."
                  : text(" Where each is alone, it is no better than counting (",
                         fixed_text(std::abs(right - counting), 1), " points apart, where ",
                         fixed_text(chance, 1), " may be chance)."));
}

// How long a model was no better than counting before it learnt where to look; "" where it did not.
std::string plateau_of(const Result& attention, double counting) {
  constexpr double near = 5, far = 20;  // points
  const LearningCurve& curve = attention.curve;
  const std::vector<LearningCurve::Point>& points = curve.points();
  const auto counts = [&](const LearningCurve::Point& point) { return point.figure < counting + near; };
  const auto last = std::find_if(points.rbegin(), points.rend(), counts);
  if (last == points.rend() || curve.figure() < counting + far) return "";
  const auto finds = std::find_if(last.base(), points.end(), [&](const LearningCurve::Point& point) {
    return point.figure > (counting + curve.figure()) / 2;
  });
  const Index found_in = finds->step - last->step;
  const auto look_after = [&](Index step) {
    return *std::find_if(attention.looks.begin(), attention.looks.end(),
                         [&](const Look& look) { return look.step == step; });
  };
  const Look before = look_after(last->step);
  return text(
      "For the first ", last->step, " steps attention, too, is no better than counting. By then ",
      percent_text(before.commonest / 100, 0), " of its answers name a commonest shape of the picture, and ",
      percent_text(before.on_target / 100, 0), " of its weight is on what the arrow points at. ",
      found_in * 5 <= points.back().step ? "Then it suddenly finds out: " : "Then it finds out: ", found_in,
      " steps later the weight there is ", percent_text(look_after(finds->step).on_target / 100, 0), ", and ",
      percent_text(finds->figure / 100, 0), " of the answers are right.");
}

// What attention does instead, before it looks where the arrow points.
LineChart chart_of_looks(const Result& attention) {
  LineChart chart{"What attention says, and where its weight is (%)",
                  "step",
                  {{"it says a commonest shape", {}, {}}, {"weight on what it points at", {}, {}}}};
  for (const Look& look : attention.looks) {
    for (Series& each : chart.series) each.x.push_back(static_cast<double>(look.step));
    chart.series.front().y.push_back(look.commonest);
    chart.series[1].y.push_back(look.on_target);
  }
  const std::vector<double> steps = chart.series.front().x;
  const double right = attention.commonest_of_right;
  chart.series.push_back(
      {"right answer is a commonest shape", {steps.front(), steps.back()}, {right, right}, true});
  for (std::size_t i = 0; i < 2; ++i)
    chart.series[i].colour = static_cast<int>(i) + 2;  // not those of the models
  chart.from_zero = true;
  return chart;
}

// An arrow and each shape, without noise, to know them again below.
std::string known_shapes() {
  const ArrowPictures pictures = draw_arrow_pictures(200, 0, Random(1));
  const auto cell_of = [&](Index picture, Index cell) {
    const Tensor pixels = pictures.pixels[picture][cell];
    return draw_picture_attention(pixels.with_shape({1, pixels.size()}), {0}, -1, "");
  };
  Html html;
  html.markup(
      "<style>.shapes{display:flex;flex-wrap:wrap;gap:12px}.shapes figure{margin:0;text-align:center}.shapes "
      "svg{width:78px;height:auto}.row{display:grid;grid-template-columns:repeat(3,minmax(0,240px));gap:12px}"
      "@media(max-width:640px){.row{grid-template-columns:repeat(2,minmax(0,1fr))}}.row figure{margin:0}.row "
      "svg{width:100%;height:auto}.row figcaption{white-space:pre-line}.picture "
      "rect[fill=\"#e8590c\"]{stroke:var(--g-ink);stroke-opacity:.5}.picture "
      "rect[fill=none]{stroke-width:4}</style><div class=\"shapes\">");
  html.picture(cell_of(0, pictures.arrows[0]), "arrow");
  for (Index shape = 0; shape < ArrowPictures::shapes; ++shape) {
    const auto at = std::find(pictures.answers.begin(), pictures.answers.end(), shape);
    const Index i = at - pictures.answers.begin();
    html.picture(cell_of(i, pictures.targets[i]), name_of_shape(shape));
  }
  return html.markup("</div>\n").str();
}

// A picture with its arrow framed, and the right answer, where neither counting helps nor looking to the
// other side.
std::string example(const Settings& settings) {
  constexpr Index side = ArrowPictures::cells, tried = 200;
  const std::uint64_t seed = settings.seed + 11;
  const ArrowPictures pictures = draw_arrow_pictures(tried, settings.noise, Random(seed));
  const std::vector<std::vector<Index>> shapes = shapes_in(tried, seed);
  const auto is_telling = [&](Index i) {
    const Index arrow = pictures.arrows[i], before = 2 * arrow - pictures.targets[i];
    if (before < 0 || before >= side * side ||
        (before / side != arrow / side && before % side != arrow % side))
      return false;
    const std::vector<Index>& its = shapes[static_cast<std::size_t>(i)];
    const Index other = its[static_cast<std::size_t>(before)];
    return other >= 0 && other != pictures.answers[i] && right_by_counting(its, pictures.answers[i]) == 0;
  };
  Index i = 0;
  while (i + 1 < tried && !is_telling(i)) ++i;
  const Index step = pictures.targets[i] - pictures.arrows[i];
  const char* const where = step == 1 ? "right" : step == -1 ? "left" : step > 0 ? "down" : "up";
  return draw_picture_attention(pictures.pixels[i], std::vector<double>(cells_of_picture), pictures.arrows[i],
                                text("It points ", where, ": ", name_of_shape(pictures.answers[i])));
}

}  // namespace

std::string introduction(const Settings& settings) {
  std::string lines =
      text(question,
           "\n\nThe task: a picture of 5 × 5 cells holds an arrow and some shapes: cross ×,\n"
           "ring ○, square □, triangle △, bar ▬. Which shape is in the cell next to the\n"
           "arrow that it points at?\n\n"
           "  ·  ×  ·  ○  ·\n"
           "  ·  ▬  →  □  ·\n"
           "  ○  ·  ·  ·  ×\n"
           "  ×  ·  △  ·  ·\n"
           "  ·  ○  ·  ·  ·\n\n"
           "  answer: square\n\n"
           "Two models learn it from grey pixels with noise, in ",
           settings.steps, " steps of ", settings.batch, " pictures (seed ", settings.seed, "):\n");
  return lines_for_output(lines + legend(models(settings)) + "\n" + columns_of_table(settings) + "\n");
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
  table.add({"a guess", 100.0 / ArrowPictures::shapes, {}, {}, {}});
  return table.add({"even weights", {}, 100.0 / static_cast<double>(cells_of_picture), {}, {}});
}

std::vector<std::string> conclusions(const Results& results, const Settings& settings) {
  return {summary_of(results, settings.tested), plateau_of(results.attention, results.counting),
          how_it_looks(results.attention)};
}

std::string page(const Results& results, const Settings& settings) {
  const Result& attention = results.attention;
  const double counting = results.counting;
  Html html;
  html.paragraph(
      "A picture has 5 × 5 cells. One holds an arrow, some others hold shapes, all in grey pixels with "
      "noise, and the question is which shape stands in the cell that the arrow points at. Below are the "
      "shapes without noise, and a picture "
      "with its arrow framed. In this one neither the commonest shape is right nor the one behind the "
      "arrow.");
  html.markup(known_shapes()).picture(example(settings));
  html.paragraph("Two models learn it:").terms(models(settings));
  html.paragraph(summary_of(results, settings.tested));
  const ResultTable table = whole_table(results);
  html.paragraph(columns_of_table(settings)).table(table.titles(), table.rows());
  LineChart chart{"Answers that are right (%)", "step", {}};
  for (const Result* each : {&attention, &results.alone})
    chart.series.push_back(each->curve.figures(each->name));
  chart.from_zero = true;
  const std::vector<double> steps = chart.series.front().x;
  chart.series.push_back({"counting shapes", {steps.front(), steps.back()}, {counting, counting}, true});
  html.heading(2, "When does it learn where to look?");
  if (const std::string plateau = plateau_of(attention, counting); !plateau.empty()) html.paragraph(plateau);
  html.charts({chart, chart_of_looks(attention)});
  html.paragraph(text("The right shape is among the commonest in ",
                      percent_text(attention.commonest_of_right / 100, 0), " of the ", looked_at_count,
                      " pictures that were looked at (the dashed line in the second chart). Where several "
                      "are as common, counting has to pick one: of the pictures to test on it gets ",
                      percent_text(results.counting / 100, 1), " right (the dashed line in the first)."));
  html.heading(2, "Where the arrow looks, while it learns");
  if (const std::string how = how_it_looks(attention); !how.empty()) html.paragraph(how);
  html.paragraph(
      text("Below each picture stands what is right, what the model with attention says after the steps of "
           "the slider, and what the one that sees each cell alone says after its training.",
           attention.begins_to_work < attention.pictures.size()
               ? " The slider opens at the first of its stops where more than half of the weight lies on "
                 "what the arrow points at."
               : ""));
  html.choices("Step", attention.pictures, Html::Chooser::slider,
               std::min(attention.begins_to_work, attention.pictures.size() - 1));
  add_places_in_code(html, "images",
                     {{"examples/images/model.cpp", "the two models"},
                      {"nn/attention/multi_head.cpp", "attention"},
                      {"nn/data/arrow_pictures.cpp", "the pictures"}});
  return html_page(question,
                   text(settings.steps, " steps of ", settings.batch, " new pictures, seed ", settings.seed),
                   html);
}
