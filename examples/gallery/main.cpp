// A gallery of broken transformers: twelve bugs, each trained beside the sound model.

#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../page_program.hpp"
#include "kept.hpp"

using namespace gradual;
using namespace gallery;

namespace {

struct Settings : PageSettings {
  Index steps = 600;
  std::string only, figures;
};

std::string verdict(const Result& result) {
  return result.diagnosis.is_sound() ? "nothing" : result.diagnosis.cause().cause;
}

std::vector<std::string> row_of(const Result& result) {
  return {result.title, short_text(result.losses.back(), 3), short_text(result.held_out_loss, 3),
          percent_text(result.right, 0), result.translation};
}

// For the book: what is kept, and the pictures of it.
void write_figures(const std::string& folder, const KeptGallery& kept) {
  make_folder(folder);
  write_file_atomically(folder + "/gallery.json", to_json(kept));
  for (const auto& [name, picture] : pictures_of(kept)) write_file_atomically(folder + "/" + name, picture);
}

void run(const Settings& settings) {
  make_folder(settings.out);
  std::vector<Bug> bugs;
  for (const Bug& bug : all_bugs())
    if (settings.only.empty() || settings.only == bug.name) bugs.push_back(bug);
  const auto say = [&](const Result& result) {
    if (settings.json)
      std::cout << nlohmann::ordered_json{{"model", result.title},
                                          {"loss", result.losses.back()},
                                          {"held_out_loss", result.held_out_loss},
                                          {"right", result.right},
                                          {"translation", result.translation},
                                          {"doctor", verdict(result)}}
                       .dump()
                << std::endl;
    else
      std::cout << '\n'
                << result.title << ": loss " << short_text(result.losses.back(), 3) << ", held out "
                << short_text(result.held_out_loss, 3) << ", " << percent_text(result.right, 0)
                << " right\n  it writes: " << result.translation
                << "\n  the doctor finds: " << verdict(result) << std::endl;
  };
  const SentencePair example = example_of(Training(Setup(), settings.seed));
  if (!settings.json)
    std::cout << "Each learns for " << settings.steps << " steps, and then translates: " << example.source
              << "\nRight is: " << example.target << std::endl;
  const Result sound = result_of("sound", Setup(), settings.steps, settings.seed);
  say(sound);
  std::vector<std::string> layers;
  for (const Bug& bug : bugs) layers.push_back(bug.layer);
  KeptGallery kept{settings.steps, example.source, example.target, kept_of("sound", sound, layers), {}};
  std::vector<Result> results;
  for (const Bug& bug : bugs) {
    Setup setup;
    bug.plant(setup);
    results.push_back(result_of(bug.title, setup, settings.steps, settings.seed));
    say(results.back());
    kept.broken.push_back(kept_of(bug.name, results.back(), {bug.layer}));
  }
  const auto pictures = pictures_of(kept);
  Html html;
  html.paragraph(
      "Each of these models is a transformer with one thing wrong, and learns from the same sentences as the "
      "sound one. The loss alone seldom tells what it is; the doctor names it before the first step. All "
      "translate: " +
      example.source + " Right is: " + example.target);
  std::vector<std::vector<std::string>> rows{row_of(sound)};
  for (const Result& result : results) rows.push_back(row_of(result));
  html.table({"model", "loss in training", "loss held out", "right", "the example, translated"}, rows);
  std::vector<Html::Choice> choices;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& broken = results[i];
    Html one;
    one.paragraph(bugs[i].sight).paragraph(bugs[i].why).paragraph("The doctor finds: " + verdict(broken));
    one.charts(
        {{"Loss in training", "step", {curve("sound", sound.losses), curve(broken.title, broken.losses)}}});
    one.picture(
        pictures.at(bugs[i].name + "-map.svg"),
        "A row is a word that looks, a column one that is looked at; <pad> fills up short sentences.");
    choices.push_back({broken.title, one});
  }
  html.heading(2, "One by one").choices("Model", choices);
  if (!settings.figures.empty()) write_figures(settings.figures, kept);
  leave_page(settings, html_page("A gallery of broken transformers",
                                 text(settings.steps, " steps each, seed ", settings.seed), html));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program("gallery", "Trains twelve broken transformers beside a sound one.", settings);
  const Options& add = program.options;
  std::vector<std::string> names;
  for (const Bug& bug : all_bugs()) names.push_back(bug.name);
  add.positive("steps", settings.steps, "training steps of each");
  add.choice("only", settings.only, "one of the bugs", names);
  add("figures", settings.figures, "a folder for the pictures of the book");
  return program.run(argc, argv, "of weights and sentences", [&] { run(settings); });
}
