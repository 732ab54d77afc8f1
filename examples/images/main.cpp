// images: what does the arrow point at? Read by attention among the patches of a picture, and without.
#include <algorithm>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/training/accuracy.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../mean_and_spread.hpp"
#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "../terminal/reporter.hpp"
#include "model.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Index steps = 1500, batch = 64, width = 64, heads = 4, rounds = 2, tested = 2000;
  double learning_rate = 0.002, noise = 0.2;
};

struct Result {
  std::string name;
  Index parameters;
  LearningCurve curve;
  std::vector<Html::Choice> pictures = {};  // what the arrow looks at, where it does, after some steps
  std::string head_shown = {};              // in the last of them
  std::vector<std::string> answers = {};    // the pictures that are looked at, each with what is said of it
  ResultTable::Cell on_target =
      {};  // how much of the arrow's weight lies on what it points at, in its best head
};

// In per cent.
double share_right(const PictureModel& model, const ArrowPictures& pictures) {
  const NoGrad no_grad;
  return 100 * accuracy(model(pictures.pixels).value(), pictures.answers);
}

// In per cent, how often the commonest shape of a picture is the answer, where each shape is known for sure:
// what can be had without knowing where they are. Of several that are as common, any is taken.
double share_right_by_counting(Index count, std::uint64_t seed) {
  constexpr Index cells = ArrowPictures::cells * ArrowPictures::cells;
  const ArrowPictures pictures = draw_arrow_pictures(count, 0, Random(seed));
  const auto look_of = [&](Index i, Index cell) {
    const Tensor pixels = pictures.pixels[i][cell];
    return std::vector<Real>(pixels.begin(), pixels.end());
  };
  std::map<std::vector<Real>, Index> shapes;  // by how they look
  for (Index i = 0; i < count; ++i) shapes[look_of(i, pictures.targets[i])] = pictures.answers[i];
  double right = 0;
  for (Index i = 0; i < count; ++i) {
    std::vector<Index> times(ArrowPictures::shapes, 0);
    for (Index cell = 0; cell < cells; ++cell)
      if (const auto shape = shapes.find(look_of(i, cell)); shape != shapes.end())
        ++times[static_cast<std::size_t>(shape->second)];
    const Index most = *std::max_element(times.begin(), times.end());
    if (times[static_cast<std::size_t>(pictures.answers[i])] == most)
      right += 1 / static_cast<double>(std::count(times.begin(), times.end(), most));
  }
  return 100 * right / static_cast<double>(count);
}

struct HeadOfRound {
  std::size_t round, head;
  double on_target;
};

// The head that gives most of the weight of an arrow's cell to what it points at.
HeadOfRound best_head(const std::vector<RecordedAttention>& rounds, const ArrowPictures& pictures) {
  const Index batch = pictures.arrows.size(), cells = pictures.pixels.dim(1);
  Tensor pointed_at = Tensor::zeros({batch, cells, cells});
  for (Index i = 0; i < batch; ++i)
    pointed_at.unguarded_data()[(i * cells + pictures.arrows[i]) * cells + pictures.targets[i]] = 1;
  HeadOfRound best{0, 0, -1};
  for (std::size_t round = 0; round + 1 < rounds.size(); ++round) {  // the last is the pool
    const std::vector<double> shares = attention_on(rounds[round].weights, pointed_at);
    const auto most = std::max_element(shares.begin(), shares.end());
    if (*most > best.on_target) best = {round, static_cast<std::size_t>(most - shares.begin()), *most};
  }
  return best;
}

constexpr Index pictures_shown = 6;

// "ring ✓", or "bar ✗, right: ring"
std::string answer_to(const Tensor& scores, const ArrowPictures& pictures, Index picture) {
  const Real* const row = scores.data() + picture * ArrowPictures::shapes;
  const Index said = std::max_element(row, row + ArrowPictures::shapes) - row;
  return name_of_shape(said) + (said == pictures.answers[picture]
                                    ? " ✓"
                                    : " ✗, right: " + name_of_shape(pictures.answers[picture]));
}

void look_inside(const PictureModel& model, const ArrowPictures& pictures, Index step, Result& result) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const HeadOfRound best = best_head(recorder.recorded(), pictures);
  result.on_target = 100 * best.on_target;
  const std::string head = text("round ", best.round + 1, ", head ", best.head + 1);
  const Tensor& weights = recorder.recorded()[best.round].weights;  // [B, H, cells², cells²]
  std::vector<std::string> drawn;
  Real strongest = 0;
  for (Index i = 0; i < pictures_shown; ++i) {
    const Index arrow = pictures.arrows[i];
    const Tensor paid = weights[i][static_cast<Index>(best.head)][arrow];
    strongest = std::max(strongest, *std::max_element(paid.begin(), paid.end()));
    drawn.push_back(draw_picture_attention(pictures.pixels[i], {paid.begin(), paid.end()}, arrow,
                                           answer_to(scores, pictures, i)));
  }
  Html content;
  content
      .paragraph(text(
          "After ", step, " steps, in ", head, ", ", percent_text(best.on_target, 0),
          " of the weight of the arrow's cell (framed) lies on what the arrow points at; the more weight a "
          "cell gets, the stronger its tint; the strongest here is ",
          percent_text(static_cast<double>(strongest), 0), ". ",
          result.head_shown.empty() || result.head_shown == head
              ? ""
              : "Another head than at the step before: shown is the one that gives most to what the arrow "
                "points at. ",
          "Below each picture, what the model says."))
      .pictures(drawn);
  result.pictures.push_back({text(step), content});
  result.head_shown = head;
}

Result train(const std::string& name, Among among, const ArrowPictures& test, const Settings& settings) {
  PictureModel model(settings.width, settings.heads, settings.rounds, among, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 10, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random pictures(settings.seed + 1);
  Result result{name, count(parameters(model)), {}, {}};
  result.curve.follow(trainer, 15, [&] { return share_right(model, test); });
  const ArrowPictures looked_at = draw_arrow_pictures(200, settings.noise, Random(settings.seed + 7));
  if (among == Among::attention)
    trainer.times(8, [&](const TrainingStep& now) { look_inside(model, looked_at, now.step, result); });
  trainer.run([&](Index) {
    const ArrowPictures batch = draw_arrow_pictures(settings.batch, settings.noise, pictures.split());
    return cross_entropy(model(batch.pixels), batch.answers);
  });
  const NoGrad no_grad;
  const Tensor scores = model(looked_at.pixels).value();
  const std::vector<double> no_weights(ArrowPictures::cells * ArrowPictures::cells);
  for (Index i = 0; i < pictures_shown; ++i)
    result.answers.push_back(draw_picture_attention(looked_at.pixels[i], no_weights, looked_at.arrows[i],
                                                    answer_to(scores, looked_at, i)));
  return result;
}

std::string introduction(const Settings& settings) {
  return text(
      "The task: a picture of 5 × 5 cells holds an arrow and some shapes: cross, ring,\n"
      "square, triangle, bar. Which shape is in the cell that the arrow points at?\n\n"
      "  ·  +  ·  ○  ·\n"
      "  ·  ·  →  □  ·\n"
      "  ○  ·  ·  ·  +\n"
      "  +  ·  ·  ·  ·\n"
      "  ·  ○  ·  ·  ·\n\n"
      "  answer: square\n\n"
      "It points at the cell next to it, to one of four sides. The picture has 25 × 25\n"
      "gray pixels with noise. In one model the cells look at one another by attention;\n"
      "the other sees each cell alone, and cannot tell where the arrow points.\n"
      "Both are tested on ",
      grouped_text(settings.tested),
      " new pictures. The last column: of the attention that\n"
      "the arrow's cell gives, what goes to the cell that it points at, in the head\n"
      "that gives most.\n");
}

std::string in_percent(double value) { return fixed_text(value, 1) + " %"; }

// How the arrow's cell comes to know; "" where it does not look at what it points at yet.
std::string how_it_looks(const Result& attention) {
  const double* const share = std::get_if<double>(&attention.on_target);
  if (share == nullptr || *share < 50) return "";
  return text(" How: the arrow's cell asks for the place that its direction means, gives ",
              fixed_text(*share, 0),
              " % of its attention to the cell there, in one head, and so hears its shape.");
}

// What came out, in a sentence or two.
std::string summary_of(const std::vector<Result>& results, double counting, Index tested) {
  const Result &attention = results.front(), &alone = results.back();
  const double right = alone.curve.figure();
  return text("The model whose cells look at one another gets ", in_percent(attention.curve.figure()), " of ",
              grouped_text(tested), " new pictures right, the one that sees each cell alone ",
              in_percent(right), " (± ", fixed_text(standard_error(right, static_cast<double>(tested)), 1),
              ", standard error), though both have about equally many parameters. Alone, ",
              "cells can be counted: always the commonest shape of the picture is right in ",
              in_percent(counting), "; a guess among the ", ArrowPictures::shapes, " shapes would get ",
              percent_text(1.0 / ArrowPictures::shapes, 1), ".", how_it_looks(attention),
              attention.curve.figure() < alone.curve.figure() + 5
                  ? " It has not learnt where to look yet: give it more --steps."
                  : "");
}

// How long a model was no better than counting before it learnt where to look; "" where it did not.
std::string plateau_of(const LearningCurve& curve, double counting) {
  constexpr double near = 5, far = 20;  // points
  Index until = 0;
  for (const LearningCurve::Point& point : curve.points())
    if (point.figure < counting + near) until = point.step;
  if (until == 0 || curve.figure() < counting + far) return "";
  return text(
      " Up to step ", until,
      " attention, too, is worth no more than counting: it knows the shapes, and not yet where to look. "
      "Then it finds out, and the curve rises.");
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
      "<style>.shapes{display:flex;flex-wrap:wrap;gap:12px}.shapes figure{margin:0;text-align:center}"
      ".shapes svg{width:78px;height:auto}</style><div class=\"shapes\">");
  html.picture(cell_of(0, pictures.arrows[0]), "arrow");
  for (Index shape = 0; shape < ArrowPictures::shapes; ++shape) {
    const auto at = std::find(pictures.answers.begin(), pictures.answers.end(), shape);
    const Index i = at - pictures.answers.begin();
    html.picture(cell_of(i, pictures.targets[i]), name_of_shape(shape));
  }
  return html.markup("</div>\n").str();
}

// A picture with its arrow framed, and the right answer.
std::string example(const Settings& settings) {
  const ArrowPictures picture = draw_arrow_pictures(1, settings.noise, Random(settings.seed + 11));
  const std::vector<double> no_weights(ArrowPictures::cells * ArrowPictures::cells);
  return draw_picture_attention(picture.pixels[0], no_weights, picture.arrows[0],
                                "Right: " + name_of_shape(picture.answers[0]));
}

std::string page(const std::vector<Result>& results, double counting, const ResultTable& table,
                 const Settings& settings) {
  Html html;
  html.paragraph(
      "A picture has 5 × 5 cells. One holds an arrow, some of the others shapes, and the question is which "
      "shape stands in the cell that the arrow points at. The shapes, and a picture with its arrow framed:");
  html.markup(known_shapes()).picture(example(settings));
  html.paragraph(
      "Which shapes there are does not tell; what counts is where they are. One model lets the cells look at "
      "one another, the other sees each cell by itself and then weighs them. It does better than a guess, "
      "for a shape that is not in the picture is not the answer, and one that is there often is likelier.");
  html.paragraph(summary_of(results, counting, settings.tested));
  html.table(table.titles(), table.rows());
  LineChart chart{"Answers that are right (%)", "step", {}};
  for (const Result& each : results) chart.series.push_back(each.curve.figures(each.name));
  chart.from_zero = true;
  const std::vector<double> steps = chart.series.front().x;
  chart.series.push_back({"counting shapes", {steps.front(), steps.back()}, {counting, counting}, true});
  html.heading(3, "When does it learn where to look?");
  html.paragraph("The share of new pictures that are answered right, as training goes on." +
                 plateau_of(results.front().curve, counting));
  html.charts({chart});
  html.heading(2, "Where the arrow looks, while it learns");
  const std::vector<Html::Choice>& pictures = results.front().pictures;
  html.choices("Step", pictures, Html::Chooser::slider, pictures.size() - 1);  // where it knows
  html.heading(3, "And without looking?");
  html.paragraph(
      "What the model that sees each cell alone says to the same pictures after training stands below each; "
      "it has no attention that could tint a cell:");
  html.pictures(results.back().answers);
  return html_page("What does the arrow point at?",
                   text(settings.steps, " steps of ", settings.batch, " new pictures, seed ", settings.seed),
                   html);
}

void run(const Settings& settings) {
  make_folder(settings.out);
  const std::uint64_t test_seed = settings.seed + 1000003;
  const ArrowPictures test = draw_arrow_pictures(settings.tested, settings.noise, Random(test_seed));
  PictureModel(settings.width, settings.heads, settings.rounds, Among::attention, Random(0));  // or an error
  say_task(settings, introduction(settings));
  const double counting = share_right_by_counting(settings.tested, test_seed);
  const std::vector<Result> results = {train("attention among cells", Among::attention, test, settings),
                                       train("each cell alone", Among::none, test, settings)};
  ResultTable table({{"model", "", 0, "", 21},
                     {"parameters", "parameters", 0, "", 6},
                     {"cpu_seconds", "CPU time", 1, " s"},
                     {"accuracy", "right", 1, " %"},
                     {"on_target", "the arrow's weight on\nwhat it points at", 0, " %"}});
  table.within(static_cast<std::size_t>(output_columns()));
  for (const Result& each : results)
    table.add(
        {each.name, each.parameters, each.curve.processor_seconds(), each.curve.figure(), each.on_target});
  if (settings.json) std::cout << table.json() << std::endl;
  table.add({"counting shapes", {}, {}, counting, {}});
  table.add({"a guess", {}, {}, 100.0 / ArrowPictures::shapes, {}});
  if (!settings.json)
    std::cout << table.lines() << "\n"
              << wrapped_for_output(summary_of(results, counting, settings.tested)) << "\n\n";
  leave_page(settings, page(results, counting, table, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program(
      "images",
      "Trains models to say what an arrow in a picture points at, with attention among its cells "
      "and without.",
      settings);
  const Options& add = program.options;
  add.positive("steps", settings.steps, "training steps");
  add.positive("batch", settings.batch, "pictures in a step");
  add.positive("tested", settings.tested, "pictures to test on");
  add.positive("width", settings.width, "numbers that stand for a cell; even");
  add.positive("heads", settings.heads, "heads of a round; they divide the width");
  add.positive("rounds", settings.rounds, "rounds of attention, or layers without");
  add.positive("learning-rate", settings.learning_rate, "its peak");
  add.not_negative("noise", settings.noise, "its deviation on each pixel");
  return program.run(argc, argv, "of weights and pictures", [&] { run(settings); });
}
