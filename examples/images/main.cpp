// images: what does the arrow point at? Read by attention among the patches of a picture, and without.
#include <algorithm>
#include <map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/training/accuracy.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../mean_and_spread.hpp"
#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "../terminal/reporter.hpp"
#include "model.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Index steps = 1500, batch = 64, width = 64, heads = 4, rounds = 2, tested = 2000;
  double learning_rate = 0.002, noise = 0.2;
};

// What a model with attention did after some steps, in per cent.
struct Look {
  Index step;
  double commonest;  // answers that name the commonest shape of the picture
  double on_target;  // weight of the arrow's cell on what it points at, in the head that gives it most
};

struct Result {
  std::string name;
  Index parameters;
  LearningCurve curve;
  std::vector<Look> looks = {};
  double commonest_of_right =
      0;  // right answers to the same pictures that name the commonest shape, per cent
  std::vector<Html::Choice> pictures = {};  // what the arrow looks at, where it does, after some steps
  std::size_t begins_to_work = 0;           // the first of them where it looks there
  std::string head_shown = {};              // in the last of them
  std::vector<std::string> answers = {};    // to the pictures that are looked at
  ResultTable::Cell on_target =
      {};  // how much of the arrow's weight lies on what it points at, in its best head
};

// In per cent.
double share_right(const PictureModel& model, const ArrowPictures& pictures) {
  const NoGrad no_grad;
  return 100 * accuracy(model(pictures.pixels).value(), pictures.answers);
}

constexpr Index cells_of_picture = ArrowPictures::cells * ArrowPictures::cells;

// Of each picture the shape in each cell, -1 where there is none; the pictures are those that are drawn with
// noise from the same seed.
std::vector<std::vector<Index>> shapes_in(Index count, std::uint64_t seed) {
  const ArrowPictures pictures = draw_arrow_pictures(count, 0, Random(seed));
  const auto look_of = [&](Index i, Index cell) {
    const Tensor pixels = pictures.pixels[i][cell];
    return std::vector<Real>(pixels.begin(), pixels.end());
  };
  std::map<std::vector<Real>, Index> known;  // by how they look
  for (Index i = 0; i < count; ++i) known[look_of(i, pictures.targets[i])] = pictures.answers[i];
  std::vector<std::vector<Index>> shapes(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    for (Index cell = 0; cell < cells_of_picture; ++cell) {
      const auto shape = known.find(look_of(i, cell));
      shapes[static_cast<std::size_t>(i)].push_back(shape == known.end() ? -1 : shape->second);
    }
  }
  return shapes;
}

// How many shapes of a picture are as common as this one, which is one of the commonest; 0 where it is not.
Index commonest_with(const std::vector<Index>& shapes, Index shape) {
  std::vector<Index> times(ArrowPictures::shapes, 0);
  for (const Index each : shapes)
    if (each >= 0) ++times[static_cast<std::size_t>(each)];
  const Index most = *std::max_element(times.begin(), times.end());
  return times[static_cast<std::size_t>(shape)] < most ? 0 : std::count(times.begin(), times.end(), most);
}

// How often who names the commonest shape of a picture is right: of several that are as common, any is taken.
double right_by_counting(const std::vector<Index>& shapes, Index answer) {
  const Index as_common = commonest_with(shapes, answer);
  return as_common == 0 ? 0 : 1 / static_cast<double>(as_common);
}

// In per cent, where each shape is known for sure: what can be had without knowing where they are.
double share_right_by_counting(const ArrowPictures& pictures, std::uint64_t seed) {
  const Index count = pictures.answers.size();
  const std::vector<std::vector<Index>> shapes = shapes_in(count, seed);
  double right = 0;
  for (Index i = 0; i < count; ++i)
    right += right_by_counting(shapes[static_cast<std::size_t>(i)], pictures.answers[i]);
  return 100 * right / static_cast<double>(count);
}

struct HeadOfLayer {
  std::size_t layer, head;
  double on_target;
};

// The head that gives most of the weight of an arrow's cell to what it points at.
HeadOfLayer best_head(const std::vector<RecordedAttention>& layers, const ArrowPictures& pictures) {
  const Index batch = pictures.arrows.size(), cells = pictures.pixels.dim(1);
  Tensor pointed_at = Tensor::zeros({batch, cells, cells});
  for (Index i = 0; i < batch; ++i)
    pointed_at.unguarded_data()[(i * cells + pictures.arrows[i]) * cells + pictures.targets[i]] = 1;
  HeadOfLayer best{0, 0, -1};
  for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer) {  // the last is the pool
    const std::vector<double> shares = attention_on(layers[layer].weights, pointed_at);
    const auto most = std::max_element(shares.begin(), shares.end());
    if (*most > best.on_target) best = {layer, static_cast<std::size_t>(most - shares.begin()), *most};
  }
  return best;
}

constexpr Index pictures_shown = 6;

Index shape_said(const Tensor& scores, Index picture) {
  const Real* const row = scores.data() + picture * ArrowPictures::shapes;
  return std::max_element(row, row + ArrowPictures::shapes) - row;
}

// `shapes` are those of the pictures.
Look look_at(const PictureModel& model, const ArrowPictures& pictures,
             const std::vector<std::vector<Index>>& shapes, Index step) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const Index count = pictures.answers.size();
  double commonest = 0;
  for (Index i = 0; i < count; ++i)
    commonest += commonest_with(shapes[static_cast<std::size_t>(i)], shape_said(scores, i)) > 0 ? 1 : 0;
  return {step, 100 * commonest / static_cast<double>(count),
          100 * best_head(recorder.recorded(), pictures).on_target};
}

// "ring ✓", or "bar ✗"
std::string answer_to(const Tensor& scores, const ArrowPictures& pictures, Index picture) {
  const Index said = shape_said(scores, picture);
  return name_of_shape(said) + (said == pictures.answers[picture] ? " ✓" : " ✗");
}

// Pictures in a row, two of them on a phone.
Html in_a_row(const std::vector<std::pair<std::string, std::string>>& pictures_and_captions) {
  Html html;
  html.markup("<div class=\"row\">");
  for (const auto& [picture, caption] : pictures_and_captions) html.picture(picture, caption);
  return html.markup("</div>\n");
}

void look_inside(const PictureModel& model, const ArrowPictures& pictures, Index step,
                 const std::vector<std::string>& answers_alone, Result& result) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const HeadOfLayer best = best_head(recorder.recorded(), pictures);
  result.on_target = 100 * best.on_target;
  const std::string head = text("layer ", best.layer + 1, ", head ", best.head + 1);
  const Tensor& weights = recorder.recorded()[best.layer].weights;  // [B, H, cells², cells²]
  Index nearly_all = 0;
  for (Index i = 0; i < pictures.answers.size(); ++i)
    nearly_all +=
        weights[i][static_cast<Index>(best.head)]({pictures.arrows[i], pictures.targets[i]}) > Real(0.9);
  std::vector<std::pair<std::string, std::string>> drawn;
  for (Index i = 0; i < pictures_shown; ++i) {
    const Index arrow = pictures.arrows[i];
    const Tensor paid = weights[i][static_cast<Index>(best.head)][arrow];
    drawn.emplace_back(
        draw_picture_attention(pictures.pixels[i], {paid.begin(), paid.end()}, arrow, ""),
        text("right: ", name_of_shape(pictures.answers[i]), "\nattention: ", answer_to(scores, pictures, i),
             "\nalone: ", answers_alone[static_cast<std::size_t>(i)]));
  }
  Html content;
  content
      .paragraph(text(
          "After ", step, " steps, in ", head, ", ", percent_text(best.on_target, 0),
          " of the weight of the arrow's cell (framed) lies on what the arrow points at, on average over ",
          pictures.answers.size(), " pictures: more than 90 % in ", nearly_all, " of the ",
          pictures.answers.size(),
          ", less in the others. The more weight a cell gets, the stronger its tint. ",
          result.head_shown.empty() || result.head_shown == head
              ? ""
              : "Another head than at the step before: shown is the one that gives most to what the arrow "
                "points at."))
      .markup(in_a_row(drawn).str());
  constexpr double works = 0.5;
  if (best.on_target < works) result.begins_to_work = result.pictures.size() + 1;
  result.pictures.push_back({text(step), content});
  result.head_shown = head;
}

// `alone` has seen the same pictures and is done, where there is one.
Result train(const std::string& name, Among among, const ArrowPictures& test, const Settings& settings,
             const Result* alone = nullptr) {
  PictureModel model(settings.width, settings.heads, settings.rounds, among, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 10, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random pictures(settings.seed + 1);
  Result result{name, count(parameters(model)), {}, {}};
  constexpr Index looked_at_count = 200;
  const std::uint64_t seed = settings.seed + 7;
  const ArrowPictures looked_at = draw_arrow_pictures(looked_at_count, settings.noise, Random(seed));
  const std::vector<std::vector<Index>> shapes = shapes_in(looked_at_count, seed);
  for (Index i = 0; i < looked_at_count; ++i)
    if (commonest_with(shapes[static_cast<std::size_t>(i)], looked_at.answers[i]) > 0)
      result.commonest_of_right += 100.0 / static_cast<double>(looked_at_count);
  result.curve.follow(
      trainer, 15, [&] { return share_right(model, test); },
      [&](const LearningCurve::Point& now) {
        if (alone) result.looks.push_back(look_at(model, looked_at, shapes, now.step));
      });
  if (alone)
    trainer.times(
        8, [&](const TrainingStep& now) { look_inside(model, looked_at, now.step, alone->answers, result); });
  trainer.run([&](Index) {
    const ArrowPictures batch = draw_arrow_pictures(settings.batch, settings.noise, pictures.split());
    return cross_entropy(model(batch.pixels), batch.answers);
  });
  const NoGrad no_grad;
  const Tensor scores = model(looked_at.pixels).value();
  for (Index i = 0; i < pictures_shown; ++i) result.answers.push_back(answer_to(scores, looked_at, i));
  return result;
}

std::string number_of(Index count, const std::string& thing) {
  return text(count, " ", thing, count == 1 ? "" : "s");
}

// The models, and what they can do.
std::vector<std::pair<std::string, std::string>> models(const Settings& settings) {
  return {{"attention among cells",
           text("each cell looks at all cells, in ", number_of(settings.rounds, "layer"), " with ",
                number_of(settings.heads, "head"), " each; a head is one way to look")},
          {"each cell alone",
           "no cell sees another; what all say is pooled at the end, where shapes can be counted"}};
}

std::string columns_of_table(const Settings& settings) {
  return text(
      "Tested on ", grouped_text(settings.tested),
      " new pictures. \"Weight there\" is the share of its attention that the arrow's cell gives to the cell "
      "that it points at, in the best head.");
}

std::string introduction(const Settings& settings) {
  std::string lines =
      "The task: a picture of 5 × 5 cells holds an arrow and some shapes: cross ×,\n"
      "ring ○, square □, triangle △, bar ▬. Which shape is in the cell next to the\n"
      "arrow that it points at?\n\n"
      "  ·  ×  ·  ○  ·\n"
      "  ·  ▬  →  □  ·\n"
      "  ○  ·  ·  ·  ×\n"
      "  ×  ·  △  ·  ·\n"
      "  ·  ○  ·  ·  ·\n\n"
      "  answer: square\n\n"
      "Two models learn it from grey pixels with noise:\n";
  return lines_for_output(lines + legend(models(settings)) + "\n" + columns_of_table(settings) + "\n");
}

// How the arrow's cell comes to know; "" where it does not look at what it points at yet.
std::string how_it_looks(const Result& attention) {
  const double* const share = std::get_if<double>(&attention.on_target);
  if (share == nullptr || *share < 50) return "";
  return "How: each cell is told where it stands, and the arrow's cell knows its direction. In the best head "
         "it gives most of its weight to the neighbour there, and so takes over the shape.";
}

// What came out, in a sentence or two.
std::string summary_of(const Result& attention, const Result& alone, double counting, Index tested) {
  const double error = standard_error(alone.curve.figure(), static_cast<double>(tested));
  return text(
      attention.curve.figure() < counting + 20
          ? "In short: where cells look at one another, they have not learnt where to look yet: give it more "
            "--steps."
          : "In short: where cells look at one another, the model finds what the arrow points at.",
      alone.curve.figure() < counting + 3 * error
          ? text(" Where each is alone, it is no better than counting (chance is ± ", fixed_text(error, 1),
                 " points).")
          : "");
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
      percent_text(before.commonest / 100, 0),
      " of its answers name a commonest shape of the picture, and only ",
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
  chart.series.push_back({"right answers that are one", {steps.front(), steps.back()}, {right, right}, true});
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
      "<style>.shapes{display:flex;flex-wrap:wrap;gap:12px}.shapes figure{margin:0;text-align:center}"
      ".shapes svg{width:78px;height:auto}"
      ".row{display:grid;grid-template-columns:repeat(3,minmax(0,240px));gap:12px}"
      "@media(max-width:640px){.row{grid-template-columns:repeat(2,minmax(0,1fr))}}"
      ".row figure{margin:0}.row svg{width:100%;height:auto}.row figcaption{white-space:pre-line}"
      ".picture rect[fill=\"#e8590c\"]{stroke:var(--g-ink);stroke-opacity:.5}"
      ".picture rect[fill=none]{stroke-width:4}</style><div class=\"shapes\">");
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

std::string page(const std::vector<Result>& results, double counting, const ResultTable& table,
                 const Settings& settings) {
  const Result &attention = results.front(), &alone = results.back();
  Html html;
  html.paragraph(
      "A picture has 5 × 5 cells. One holds an arrow, some of the others shapes, and the question is which "
      "shape stands in the cell that the arrow points at. Below are the shapes, and a picture with its arrow "
      "framed. In this one neither the commonest shape is right nor the one behind the arrow.");
  html.markup(known_shapes()).picture(example(settings));
  html.paragraph("Two models learn it:").terms(models(settings));
  html.paragraph(summary_of(attention, alone, counting, settings.tested));
  html.paragraph(columns_of_table(settings)).table(table.titles(), table.rows());
  LineChart chart{"Answers that are right (%)", "step", {}};
  for (const Result& each : results) chart.series.push_back(each.curve.figures(each.name));
  chart.from_zero = true;
  const std::vector<double> steps = chart.series.front().x;
  chart.series.push_back({"counting shapes", {steps.front(), steps.back()}, {counting, counting}, true});
  html.heading(3, "When does it learn where to look?");
  if (const std::string plateau = plateau_of(attention, counting); !plateau.empty()) html.paragraph(plateau);
  html.charts({chart, chart_of_looks(attention)});
  html.paragraph(text("Who counts names a commonest shape, and the right one is among these in ",
                      percent_text(attention.commonest_of_right / 100, 0),
                      " of the pictures (the dashed line at the right). Often several are as common, and one "
                      "of them has to be "
                      "picked: that is right in ",
                      percent_text(counting / 100, 1), " (the dashed line at the left)."));
  html.heading(2, "Where the arrow looks, while it learns");
  if (const std::string how = how_it_looks(attention); !how.empty()) html.paragraph(how);
  html.paragraph(
      "Below each picture stands what is right, what the model with attention says after as many steps, and "
      "what the one that sees each cell alone says after its training. The slider stops at eight steps of "
      "the "
      "training, and opens at the first of these where more than half of the weight lies on what the arrow "
      "points "
      "at.");
  html.choices("Step", attention.pictures, Html::Chooser::slider,
               std::min(attention.begins_to_work, attention.pictures.size() - 1));
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
  const double counting = share_right_by_counting(test, test_seed);
  const Result alone = train("each cell alone", Among::none, test, settings);
  const std::vector<Result> results = {
      train("attention among cells", Among::attention, test, settings, &alone), alone};
  ResultTable table({{"model", "", 0, "", 21},
                     {"accuracy", "right", 1, " %"},
                     {"on_target", "weight\nthere", 0, " %", 6},
                     {"parameters", "parameters"},
                     {"cpu_seconds", "CPU time", 1, " s"}});
  table.within(static_cast<std::size_t>(output_columns()));
  for (const Result& each : results)
    table.add(
        {each.name, each.curve.figure(), each.on_target, each.parameters, each.curve.processor_seconds()});
  if (settings.json) std::cout << table.json() << std::endl;
  table.part().add({"counting shapes", counting, {}, {}, {}});
  table.add({"a guess", 100.0 / ArrowPictures::shapes, {}, {}, {}});
  table.add({"even weights", {}, 100.0 / static_cast<double>(cells_of_picture), {}, {}});
  if (!settings.json) std::cout << table.lines() << "\n";
  say_paragraphs(settings, {summary_of(results.front(), alone, counting, settings.tested),
                            plateau_of(results.front(), counting), how_it_looks(results.front())});
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
  add.positive("heads", settings.heads, "heads of a layer; they divide the width");
  add.positive("rounds", settings.rounds, "layers of attention, or without");
  add.positive("learning-rate", settings.learning_rate, "its peak");
  add.not_negative("noise", settings.noise, "its deviation on each pixel");
  return program.run(argc, argv, "of weights and pictures", [&] { run(settings); });
}
