// images: what does the arrow point at? Read by attention among the patches of a picture, and without.
#include <algorithm>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/training/accuracy.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "../command_line.hpp"
#include "drawing.hpp"
#include "model.hpp"

using namespace gradual;

namespace {

struct Settings {
  Index steps = 1500, batch = 64, width = 64, heads = 4, rounds = 2, tested = 2000;
  double learning_rate = 0.002, noise = 0.2;
  std::uint64_t seed = 1;
  int threads = thread_count();
  std::string out = "out/images";
  bool json = false;
};

struct Result {
  std::string name;
  Index parameters;
  double seconds, accuracy;
  Series curve;
  Html pictures;         // what the cells look at, where they do
  double on_target = 0;  // how much of the arrow's weight lies on what it points at, in its best head
};

// In per cent.
double share_right(const PictureModel& model, const ArrowPictures& pictures) {
  const NoGrad no_grad;
  return 100 * accuracy(model(pictures.pixels).value(), pictures.answers);
}

struct HeadOfRound {
  Index round, head;
  double on_target;
};

// The mean weight that an arrow's cell gives to what it points at, for the head where it is largest.
HeadOfRound best_head(const std::vector<RecordedAttention>& rounds, const ArrowPictures& pictures) {
  HeadOfRound best{0, 0, -1};
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const Tensor& weights = rounds[r].weights;  // [B, H, cells², cells²]
    if (weights.dim(2) == 1) continue;          // the pool
    for (Index head = 0; head < weights.dim(1); ++head) {
      double total = 0;
      for (Index i = 0; i < weights.dim(0); ++i)
        total += static_cast<double>(weights({i, head, pictures.arrows[i], pictures.targets[i]}));
      const double mean = total / static_cast<double>(weights.dim(0));
      if (mean > best.on_target) best = {static_cast<Index>(r), head, mean};
    }
  }
  return best;
}

std::vector<double> row_of(const Tensor& weights, Index picture, Index head, Index query) {
  std::vector<double> row;
  for (Index key = 0; key < weights.dim(3); ++key)
    row.push_back(static_cast<double>(weights({picture, head, query, key})));
  return row;
}

void look_inside(const PictureModel& model, const ArrowPictures& pictures, Result& result) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  const Tensor scores = model(pictures.pixels).value();
  const HeadOfRound best = best_head(recorder.recorded(), pictures);
  result.on_target = best.on_target;
  const Tensor& weights = recorder.recorded()[static_cast<std::size_t>(best.round)].weights;
  std::vector<std::string> drawn;
  for (Index i = 0; i < 6; ++i) {
    const Real* row = scores.data() + i * ArrowPictures::shapes;
    const Index said = std::max_element(row, row + ArrowPictures::shapes) - row;
    drawn.push_back(draw_picture(pictures, i, row_of(weights, i, best.head, pictures.arrows[i]),
                                 pictures.arrows[i],
                                 name_of_shape(said) + (said == pictures.answers[i] ? " ✓" : " ✗")));
  }
  result.pictures
      .paragraph(text("Round ", best.round + 1, ", head ", best.head + 1,
                      ": where the arrow's cell (framed) looks. Above each picture, what the model says."))
      .pictures(drawn);
}

Result train(const std::string& name, Among among, const ArrowPictures& test, const Settings& settings) {
  PictureModel model(settings.width, settings.heads, settings.rounds, among, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 10, settings.steps});
  Random pictures(settings.seed + 1);
  Result result{name, count(parameters(model)), 0, 0, {name, {}, {}}, {}};
  trainer.times(15, [&](const TrainingStep& now) {
    result.curve.x.push_back(static_cast<double>(now.step));
    result.curve.y.push_back(share_right(model, test));
  });
  trainer.run([&](Index) {
    const ArrowPictures batch = draw_arrow_pictures(settings.batch, settings.noise, pictures.split());
    return cross_entropy(model(batch.pixels), batch.answers);
  });
  result.seconds = trainer.seconds();
  result.accuracy = share_right(model, test);
  if (among == Among::attention)
    look_inside(model, draw_arrow_pictures(200, settings.noise, Random(settings.seed + 7)), result);
  return result;
}

std::string page(const std::vector<Result>& results, const Settings& settings) {
  Html html;
  html.paragraph(
      "One cell of each picture holds an arrow, and the question is which shape it points at. Which shapes "
      "there are does not help; what counts is where they are. One model lets the cells look at one another, "
      "the "
      "other sees each cell by itself and then weighs them.");
  std::vector<std::vector<std::string>> rows;
  LineChart chart;
  chart.title = "Answers that are right (%)";
  chart.x_label = "step";
  for (const Result& each : results) {
    rows.push_back({each.name, text(each.parameters), fixed_text(each.seconds, 1) + " s",
                    fixed_text(each.accuracy, 1) + " %"});
    chart.series.push_back(each.curve);
  }
  html.table({"Model", "Parameters", "Training", "Right"}, rows).charts({chart});
  html.heading(2, "Where the arrow looks");
  html.markup(results.front().pictures.str());
  return html_page("What does the arrow point at?",
                   text(settings.steps, " steps of ", settings.batch, " new pictures, seed ", settings.seed),
                   html);
}

void run(const Settings& settings) {
  set_thread_count(settings.threads);
  const ArrowPictures test =
      draw_arrow_pictures(settings.tested, settings.noise, Random(settings.seed + 1000003));
  const std::vector<Result> results = {train("attention among cells", Among::attention, test, settings),
                                       train("each cell alone", Among::none, test, settings)};
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(results, settings));
  if (settings.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Result& each : results)
      json.push_back({{"model", each.name},
                      {"parameters", each.parameters},
                      {"seconds", each.seconds},
                      {"accuracy", each.accuracy},
                      {"on_target", each.on_target}});
    std::cout << json.dump() << std::endl;
    return;
  }
  std::printf("%-24s%12s%10s%10s\n", "", "parameters", "time", "right");
  for (const Result& each : results)
    std::printf("%-24s%12lld%8.1f s%8.1f %%\n", each.name.c_str(), static_cast<long long>(each.parameters),
                each.seconds, each.accuracy);
  std::printf("%-24s%30.1f %%\n", "a guess", 100.0 / ArrowPictures::shapes);
  std::printf(
      "the arrow's cell gives %.0f %% of its weight to what it points at, in its best head\npage  %s\n",
      100 * results.front().on_target, file.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Trains models to say what an arrow in a picture points at, with attention among its cells and "
      "without.");
  const auto add = [&](const char* name, auto& value, const char* description) {
    app.add_option(name, value, description)->transform(above_zero(value))->capture_default_str();
  };
  add("--steps", settings.steps, "training steps");
  add("--batch", settings.batch, "pictures in a step");
  add("--tested", settings.tested, "pictures to test on");
  add("--width", settings.width, "numbers that stand for a cell; even");
  add("--heads", settings.heads, "heads of a round; they divide the width");
  add("--rounds", settings.rounds, "rounds of attention, or layers without");
  add("--learning-rate", settings.learning_rate, "its peak");
  app.add_option("--noise", settings.noise, "its deviation on each pixel")
      ->transform(not_below_zero(settings.noise))
      ->capture_default_str();
  add_seed(app, settings.seed, "of weights and pictures");
  add("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  return run_program("images", app, [&] {
    app.parse(argc, argv);
    run(settings);
  });
}
