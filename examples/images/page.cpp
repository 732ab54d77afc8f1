#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>

#include "../in_code.hpp"
#include "counting.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

// What attention does instead, before it looks where the arrow points.
LineChart chart_of_looks(const Result& attention) {
  LineChart chart{"What attention says, and where its weight is (%)",
                  "step",
                  {{names_a_commonest, {}, {}}, {"weight there", {}, {}}}};
  for (const Look& look : attention.looks) {
    for (Series& each : chart.series) each.x.push_back(static_cast<double>(look.step));
    chart.series.front().y.push_back(look.commonest);
    chart.series[1].y.push_back(look.on_target);
  }
  const std::vector<double> steps = chart.series.front().x;
  const double right = attention.commonest_of_right;
  chart.series.push_back({"right is a commonest", {steps.front(), steps.back()}, {right, right}, true});
  for (std::size_t i = 0; i < 2; ++i)
    chart.series[i].colour = static_cast<int>(i) + 2;  // not those of the models
  chart.from_zero = chart.names_at_ends = true;
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
      "<style>.shapes{display:flex;flex-wrap:wrap;gap:12px;margin:14px var(--inset)}.shapes "
      "figure{margin:0;text-align:center}.shapes "
      "svg{width:78px;height:auto}.row{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:12px;"
      "margin-inline:var(--inset)}"
      "@media(max-width:640px){.row{grid-template-columns:repeat(2,minmax(0,1fr))}}.row "
      "figure{margin:0}.row svg,.column>figure svg{width:100%;height:auto}"
      ".column>figure{width:262px}.column>figure figcaption{font-size:16px;color:inherit}"
      "@media(max-width:640px){.column{display:flex;flex-direction:column-reverse;gap:0}"
      ".column>figure{margin-inline:auto}}.row figcaption{white-space:pre-line}.picture "
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

// The task, and beside it a picture where neither counting helps nor looking to the other side.
void add_task(Html& html, const Settings& settings) {
  constexpr Index tried = 200;
  const std::uint64_t seed = settings.seed + 11;
  const ArrowPictures pictures = draw_arrow_pictures(tried, settings.noise, Random(seed));
  const std::vector<std::vector<Index>> all = shapes_in(tried, seed);
  Index i = 0;
  while (i + 1 < tried && !is_telling(all[static_cast<std::size_t>(i)], pictures, i)) ++i;
  const std::vector<Index>& shapes = all[static_cast<std::size_t>(i)];
  Html words;
  words.paragraph(
      "What does the arrow point at? A picture has 5 × 5 cells. One holds an arrow, some others hold shapes, "
      "all in grey pixels with noise, and the question is which shape stands in the cell that the arrow "
      "points at.");
  words.paragraph(text("Counting the shapes would say ", said_by_counting(shapes),
                       " here, which is wrong, and so is the ",
                       name_of_shape(shape_behind(shapes, pictures, i)), " behind the arrow."));
  words.paragraph("Two models learn it:").terms(models(settings));
  const Index step = pictures.targets[i] - pictures.arrows[i];
  const char* const where = step == 1 ? "right" : step == -1 ? "left" : step > 0 ? "down" : "up";
  html.markup("<div class=\"aside column\"><div>" + words.str() + "</div>")
      .picture(draw_picture_attention(pictures.pixels[i], std::vector<double>(cells_of_picture),
                                      pictures.arrows[i], ""),
               text("The arrow (blue frame) points ", where, ", at a ", name_of_shape(pictures.answers[i])))
      .markup("</div>\n")
      .paragraph("The shapes without noise:")
      .markup(known_shapes());
}

// Pictures and weights after each look; it opens at the end.
void add_looks(Html& html, const Results& results) {
  const Result& attention = results.attention;
  html.heading(2, "Where the arrow looks, while it learns");
  if (const std::string how = how_it_looks(attention); !how.empty()) html.paragraph(how);
  html.paragraph(
      "Under each picture: what attention says, its largest weight, and what each cell alone says in the "
      "end.");
  html.choices("Step", attention.pictures, Html::Chooser::slider, attention.pictures.size() - 1);
}

void add_curves(Html& html, const Results& results, Index tested) {
  const Result& attention = results.attention;
  const double counting = results.counting;
  LineChart chart{"Answers that are right (%)",
                  "step",
                  // The whole name would find no room at the end of its curve.
                  {attention.curve.figures("attention"), results.alone.curve.figures(results.alone.name)}};
  chart.from_zero = chart.names_at_ends = true;
  const std::vector<double> steps = chart.series.front().x;
  chart.series.push_back({"counting shapes", {steps.front(), steps.back()}, {counting, counting}, true});
  html.heading(2, "When does it learn where to look?");
  if (const std::optional<ResultTable> stages = table_of_stages(results))
    html.paragraph(plateau_of(results))
        .table(stages->titles(), stages->rows())
        .paragraph(about_stages(results, tested));
  html.paragraph(
      "The second chart tells what it does instead of looking. If it counts, \"names a commonest\" is "
      "high; if it looks, \"weight there\" is.");
  html.charts({chart, chart_of_looks(attention)});
  html.paragraph(
      text("The dashed lines: in the second chart, how often the right shape is among the "
           "commonest; in the first, how often counting is right, ",
           percent_text(results.counting / 100, 1), ", for where several are as common it has to pick one."));
}

}  // namespace

std::string page(const Results& results, const Settings& settings) {
  Html html;
  add_task(html, settings);
  html.answer(summary_of(results, settings.tested));
  const ResultTable table = whole_table(results);
  std::vector<std::string> titles = table.titles();
  std::vector<std::vector<std::string>> rows = table.rows();
  titles.pop_back();  // a phone has room for four columns: the time stands in the terminal
  for (std::vector<std::string>& row : rows) row.pop_back();
  html.heading(2, "What comes of it?");
  html.paragraph(columns_of_table(settings)).table(titles, rows);
  add_looks(html, results);
  add_curves(html, results, settings.tested);
  add_places_in_code(html, "images",
                     {{"examples/images/model.cpp", "the two models"},
                      {"nn/attention/multi_head.cpp", "attention"},
                      {"nn/data/arrow_pictures.cpp", "the pictures"}});
  return html_page(
      question,
      text(grouped_text(settings.steps), " steps of ", settings.batch, " new pictures, seed ", settings.seed),
      html);
}
