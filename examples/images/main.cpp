// images: attention over the patches of a picture, and what becomes of the same patches without it.
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/inspect/number_text.hpp>
#include <gradual/nn/inspect/page/page.hpp>
#include <gradual/nn/inspect/patch_picture.hpp>

#include "experiment.hpp"

using namespace gradual;

namespace {

struct Settings {
  Budget budget;
  int threads = thread_count();
  std::string out = "out/images";
  bool json = false;
};

constexpr Index drawn_pictures = 6;

void print_head() { std::printf("%-20s%12s%10s%20s\n", "", "parameters", "time", "dots answered"); }

void print(const Result& result) {
  std::printf("%-20s%12lld%8.1f s%18.1f %%\n", result.name.c_str(), static_cast<long long>(result.parameters),
              result.seconds, result.accuracy);
  std::fflush(stdout);
}

double guess(const Budget& budget) { return 100.0 / static_cast<double>(budget.pictures.digits); }

// A test picture, and for each of its dots what its patch attends to.
Html picture_with_attention(const Settings& settings, Index b, const PictureBatch& pictures,
                            const Result& result, const Tensor& weights, Index head) {
  const Index patch = settings.budget.model.image.patch, size = pictures.images.dim(2), N = weights.dim(2);
  const Tensor image = pictures.images.rows(b, b + 1).with_shape({3, size, size});
  std::vector<std::string> drawings{draw_patch_picture({image, patch, {}, -1, "The picture"})};
  const auto& dots = pictures.dots[static_cast<std::size_t>(b)];
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const Index at = patch_at(dots[i].x + 1, dots[i].y + 1, patch, size / patch);
    const Real* row = weights.data() + ((b * weights.dim(1) + head) * N + at) * N;
    const Index which = b * static_cast<Index>(dots.size()) + static_cast<Index>(i);
    const std::int32_t said = result.answers[static_cast<std::size_t>(which)],
                       right = pictures.answers[which];
    const std::string title = text("says ", said, said == right ? ", right" : text(", is ", right));
    drawings.push_back(draw_patch_picture({image, patch, {row, row + N}, at, title}));
  }
  return Html().pictures(drawings);
}

std::string page(const Settings& settings, const std::vector<Result>& results, const WithAttention& model) {
  Html html;
  std::vector<std::vector<std::string>> rows;
  LineChart curves{"Dots answered (%)", "step", {}};
  for (const Result& result : results) {
    rows.push_back({result.name, text(result.parameters), fixed_text(result.seconds, 1),
                    fixed_text(result.accuracy, 1)});
    curves.series.push_back({result.name, result.steps, result.accuracies});
  }
  rows.push_back({"any digit of the picture", "", "", fixed_text(guess(settings.budget), 1)});

  const PictureBatch pictures = test_pictures(settings.budget);
  const NoGrad no_grad;
  AttentionRecorder recorder;
  model(Var(pictures.images));
  const BestHead best = best_head(recorder.recorded(), pictures, settings.budget.model.image.patch);
  std::vector<Html::Choice> choices;
  for (Index b = 0; b < std::min(drawn_pictures, settings.budget.test_pictures); ++b)
    choices.push_back({text("Picture ", b + 1),
                       picture_with_attention(settings, b, pictures, results[0],
                                              recorder.recorded()[best.layer].weights, best.head)});

  html.paragraph(
      "Each dot asks for the digit of its colour, somewhere else on the picture. A patch of the picture sees "
      "only a "
      "piece of one thing. With attention, the dot's patch finds the digit; without, it has to make do with "
      "the mean "
      "of all patches, which says what is on the picture but not what belongs together.");
  html.table({"Model", "Parameters", "Training (s)", "Dots answered (%)"}, rows).charts({curves});
  html.heading(2, "What the dots look at");
  html.paragraph(text(
      "Pictures that no model was trained on. The frame is the patch that asks; the lighter another patch, "
      "the more weight it gets, in head ",
      best.head + 1, " of round ", best.layer + 1, ". There a dot gives ", fixed_text(100 * best.weight, 0),
      " % of its weight to the patches of its digit; equal weights would give ",
      fixed_text(100 * best.by_chance, 0), " %."));
  html.choices("Picture", choices);
  return html_page("Attention over the patches of a picture",
                   text(settings.budget.steps, " steps of ", settings.budget.batch,
                        " new pictures each, seed ", settings.budget.seed),
                   html);
}

void run(Settings& settings) {
  Budget& budget = settings.budget;
  set_thread_count(settings.threads);
  budget.model.image.height = budget.model.image.width = budget.pictures.size;
  WithAttention with(budget.model, Random(budget.seed));
  WithoutAttention without(budget.model, Random(budget.seed));
  dots_and_digits(1, budget.pictures, Random(budget.seed))
      .targets(budget.model.image.patch);  // refuses bad sizes now
  if (!settings.json) print_head();
  std::vector<Result> results;
  results.push_back(run_experiment("attention", with, budget));
  if (!settings.json) print(results.back());
  results.push_back(run_experiment("no attention", without, budget));
  if (!settings.json) print(results.back());
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(settings, results, with));
  if (settings.json) {
    nlohmann::ordered_json json{{"guess", guess(budget)}, {"models", nlohmann::ordered_json::array()}};
    for (const Result& result : results)
      json["models"].push_back({{"name", result.name},
                                {"parameters", result.parameters},
                                {"seconds", result.seconds},
                                {"accuracy", result.accuracy}});
    std::cout << json.dump() << std::endl;
  } else {
    std::printf("%-42s%18.1f %%\npage  %s\n", "any digit of the picture", guess(budget), file.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Budget& budget = settings.budget;
  CLI::App app(
      "Trains a model with and one without attention to say, for each dot, which digit has its colour.");
  const auto add = [&](const char* name, auto& value, const char* description) {
    app.add_option(name, value, description)->check(CLI::PositiveNumber)->capture_default_str();
  };
  add("--steps", budget.steps, "training steps");
  add("--batch", budget.batch, "pictures in a step");
  add("--test-pictures", budget.test_pictures, "pictures to test on");
  add("--size", budget.pictures.size, "pixels along each side of a picture");
  add("--patch", budget.model.image.patch, "pixels along each side of a patch, at most 4");
  add("--digits", budget.pictures.digits, "digits, and dots, on a picture, at most 4");
  app.add_option("--strokes", budget.pictures.strokes, "grey lines that mean nothing")->capture_default_str();
  app.add_option("--noise", budget.pictures.noise, "standard deviation of the noise")->capture_default_str();
  add("--width", budget.model.width, "width of the models");
  add("--heads", budget.model.heads, "attention heads");
  add("--layers", budget.model.layers, "layers");
  add("--learning-rate", budget.learning_rate, "its peak");
  app.add_option("--seed", budget.seed, "of weights and pictures")->capture_default_str();
  add("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "images: " << error.what() << "\n";
    return 1;
  }
}
