// A gallery of broken transformers: twelve bugs, each trained beside the sound model.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../mean_and_spread.hpp"
#include "../page_program.hpp"
#include "../terminal/colour.hpp"
#include "kept.hpp"

using namespace gradual;
using namespace gallery;

namespace {

struct Settings : PageSettings {
  Index steps = 1000;
  std::string only, figures;
};

std::string verdict(const Result& result) {
  return result.diagnosis.is_sound() ? "nothing" : result.diagnosis.cause().cause;
}

// Broken models repeat themselves without end.
std::string beginning_of(const std::string& sentence) {
  constexpr std::size_t most = 40, kept = 32;
  if (sentence.empty()) return "(nothing)";
  const std::vector<std::string> characters = split_characters(sentence);
  if (characters.size() <= most) return sentence;
  std::string beginning;
  for (std::size_t i = 0; i < kept; ++i) beginning += characters[i];
  const std::size_t space = beginning.rfind(' ');
  return beginning.substr(0, space) + (space == std::string::npos ? "…" : " …");
}

std::vector<std::string> row_of(const Result& result) {
  return {result.title,
          fixed_text(final_loss(result), 2),
          fixed_text(result.held_out_loss, 2),
          percent_text(result.right, 0),
          verdict(result),
          beginning_of(result.translation)};
}

// What came out, in a few sentences.
std::string summary_of(const Result& sound, const std::vector<Result>& broken, std::size_t tested) {
  double worst = 1, best = 0;
  std::size_t lower = 0, named = 0;
  for (const Result& each : broken) {
    worst = std::min(worst, each.right);
    best = std::max(best, each.right);
    lower += final_loss(each) < final_loss(sound) ? 1 : 0;
    named += each.diagnosis.is_sound() ? 0 : 1;
  }
  const std::string least = fixed_text(100 * worst, 0), most = fixed_text(100 * best, 0);
  const double chance =
      std::ceil(chance_apart(100 * sound.right, 100 * sound.right, static_cast<double>(tested)));
  const bool one = broken.size() == 1;
  return text("The sound model translates ", percent_text(sound.right, 0), " of ", tested,
              " sentences that were held out without a mistake, the broken ", one ? "one " : "ones ",
              least == most ? most : least + "–" + most, " %",
              chance > 1 ? text("; differences below ", chance, " points may be chance. ") : ". ", lower,
              " of ", broken.size(), one ? " has" : " have",
              " a lower loss in training than the sound model; before the first step the doctor finds what "
              "is wrong with ",
              named, " of ", broken.size(), ".",
              sound.right < 0.3 ? " The sound model itself has learnt too little for a verdict on the "
                                  "others: more --steps help."
                                : "");
}

// A map large enough to read, the sound one first.
std::vector<std::string> maps_of(const Kept& sound, const Kept& broken) {
  std::vector<std::string> pictures;
  for (AttentionMap map : broken.maps) {
    AttentionMap other = *std::find_if(sound.maps.begin(), sound.maps.end(),
                                       [&](const AttentionMap& each) { return each.title == map.title; });
    const std::string layer = ", " + map.title;
    other.title = sound.title + layer;
    map.title = broken.title + layer;
    pictures.push_back(draw_attention_map(other));
    pictures.push_back(draw_attention_map(map));
  }
  return pictures;
}

// For the book: what is kept, and the pictures of it.
void write_figures(const std::string& folder, const KeptGallery& kept) {
  write_file_atomically(folder + "/gallery.json", to_json(kept));
  for (const auto& [name, picture] : pictures_of(kept)) write_file_atomically(folder + "/" + name, picture);
}

void run(const Settings& settings) {
  make_folder(settings.out);
  if (!settings.figures.empty()) make_folder(settings.figures);
  std::vector<Bug> bugs;
  for (const Bug& bug : all_bugs())
    if (settings.only.empty() || settings.only == bug.name) bugs.push_back(bug);
  const auto say = [&](const Result& result) {
    if (settings.json)
      std::cout << json_text(Json{{"model", result.title},
                                  {"loss", final_loss(result)},
                                  {"held_out_loss", result.held_out_loss},
                                  {"right", result.right},
                                  {"translation", result.translation},
                                  {"doctor", verdict(result)}})
                << std::endl;
    else
      std::cout << '\n'
                << result.title << ": loss " << fixed_text(final_loss(result), 2) << ", held out "
                << fixed_text(result.held_out_loss, 2) << ", " << percent_text(result.right, 0)
                << " right\n  it writes: " << beginning_of(result.translation)
                << "\n  the doctor finds: " << verdict(result) << std::endl;
  };
  const Training before(Setup(), settings.seed, pairs_to_learn);
  const SentencePair example = example_of(before);
  if (!settings.json)
    std::cout << "Each learns for " << settings.steps << " steps, and then translates: " << example.source
              << "\nRight is: " << example.target << std::endl;
  const Result sound = result_of("Sound", Setup(), settings.steps, settings.seed);
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
  const std::string summary = summary_of(sound, results, before.held_out().size());
  if (!settings.json) std::cout << '\n' << wrapped_for_output(summary + "\n");
  Html html;
  html.paragraph(summary);
  html.paragraph(
      "Each of these models is a transformer with one thing wrong, and learns from the same sentences as the "
      "sound one. Their losses are not a verdict: where the answer leaks, or padding counts, the loss is "
      "better than that of the sound model, where a mask leaks on held-out sentences too. All translate “" +
      example.source + "”; right is “" + example.target + "”");
  std::vector<std::vector<std::string>> rows{row_of(sound)};
  for (const Result& result : results) rows.push_back(row_of(result));
  html.table({"Model", "Loss in training", "Loss held out", "Right", "What the doctor finds",
              "The example, translated"},
             rows);
  std::vector<Html::Choice> choices;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& broken = results[i];
    Html one;
    one.paragraph(bugs[i].sight).paragraph(bugs[i].why).paragraph("The doctor finds: " + verdict(broken));
    one.charts({{"Loss in training",
                 "step",
                 {curve(sound.title, sound.losses), curve(broken.title, broken.losses)}}});
    one.paragraph(
        "A row is a word that looks, a column one that is looked at. ▷ begins a sentence, ⏎ ends it, and □ "
        "fills up a short one.");
    one.pictures(maps_of(kept.sound, kept.broken[i]));
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
  program.json_meaning = "print a JSON line of figures for each model and nothing else";
  const Options& add = program.options;
  std::vector<std::string> names;
  for (const Bug& bug : all_bugs()) names.push_back(bug.name);
  add.positive("steps", settings.steps, "training steps of each");
  add.choice("only", settings.only, "one of the bugs", names);
  add.folder("figures", settings.figures, "a folder for the pictures of the book");
  return program.run(argc, argv, "of weights and sentences", [&] { run(settings); });
}
