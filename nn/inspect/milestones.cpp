#include <gradual/nn/inspect/milestones.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {
namespace {

void add_translations(Html& page, const std::vector<Milestone>& milestones) {
  const std::vector<TranslatedSentence>& sentences = milestones.front().translations;
  std::vector<Html::Choice> choices;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> right;
    for (const Milestone& milestone : milestones) {
      if (milestone.translations.size() != sentences.size())
        throw std::invalid_argument(text("milestones: each must have the same sentences: step ",
                                         milestones.front().step, " has ", sentences.size(), ", step ",
                                         milestone.step, " has ", milestone.translations.size()));
      rows.push_back({std::to_string(milestone.step), milestone.translations[i].translation});
      right.push_back(milestone.translations[i].right);
    }
    Html content;
    content.paragraph("Reference: " + isolated(sentences[i].reference));
    content.table({"Step", "Translation"}, rows, right);
    choices.push_back({sentences[i].source, content});
  }
  page.heading(3, "Translations");
  page.choices("Held-out sentence", choices);
}

Html translations_of(const Milestone& milestone) {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;
  for (const TranslatedSentence& each : milestone.translations) {
    rows.push_back({each.source, each.translation});
    right.push_back(each.right);
  }
  return Html().table({"Source", "Translation"}, rows, right);
}

Html heads_of(const Milestone& milestone) {
  std::vector<Html::Choice> heads;
  for (std::size_t l = 0; l < milestone.heads.size(); ++l)
    for (std::size_t h = 0; h < milestone.heads[l].size(); ++h)
      heads.push_back({text("layer ", l + 1, ", head ", h + 1),
                       Html().pictures({draw_attention_map(milestone.heads[l][h])})});
  return Html().choices("Head", heads);
}

Html layers_of(const Milestone& milestone) {
  std::vector<std::vector<std::string>> rows;
  for (const LayerNumbers& each : milestone.layers)
    rows.push_back({each.name, std::isnan(each.gradient) ? "" : short_text(each.gradient, 3),
                    short_text(each.lowest, 3), each.columns(), short_text(each.highest, 3)});
  return Html().table({"Layer", "Length of its gradient", "Weights from", "how many", "to"}, rows);
}

void add_steps(Html& page, const std::vector<Milestone>& milestones) {
  std::vector<Html::Choice> choices;
  for (const Milestone& milestone : milestones) {
    if (milestone.attention.empty() && milestone.layers.empty()) continue;
    Html content;
    if (!milestone.translations.empty()) content.markup(translations_of(milestone).str());
    std::vector<std::string> maps;
    for (const AttentionMap& map : milestone.attention) maps.push_back(draw_attention_map(map));
    if (!maps.empty()) content.pictures(maps);
    if (!milestone.heads.empty()) content.markup(heads_of(milestone).str());
    if (!milestone.layers.empty()) content.markup(layers_of(milestone).str());
    choices.push_back({std::to_string(milestone.step), content});
  }
  page.heading(3, "Step by step");
  page.paragraph(
      "What the model says after so many steps. Below, the reference of one sentence, word by word, and "
      "where the model "
      "looks in the source while it writes it: a map for each layer, the mean of its heads, and any head by "
      "itself. Then, "
      "for each layer, how long its part of the gradient was and how its weights are spread.");
  page.choices("Step", choices, Html::Chooser::slider);
}

/// The place of the best head: layer and head.
std::pair<std::size_t, std::size_t> best_head(const AlignmentQuality& quality) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  for (std::size_t l = 0; l < quality.heads.size(); ++l) {
    for (std::size_t h = 0; h < quality.heads[l].size(); ++h)
      if (quality.heads[l][h] > quality.heads[best.first][best.second]) best = {l, h};
  }
  return best;
}

void add_alignment(Html& page, const std::vector<Milestone>& milestones) {
  const AlignmentQuality& last = milestones.back().alignment;
  LineChart chart{"Attention on the right word (% of words)", "step", {}};
  chart.log_x = true;
  const auto add_curve = [&](const std::string& name, auto share) {
    Series series{name, {}, {}};
    for (const Milestone& milestone : milestones) {
      if (milestone.alignment.layers.size() != last.layers.size()) continue;
      series.x.push_back(static_cast<double>(milestone.step));
      series.y.push_back(100 * share(milestone.alignment));
    }
    chart.series.push_back(std::move(series));
  };
  for (std::size_t l = 0; l < last.layers.size(); ++l)
    add_curve(text("layer ", l + 1), [l](const AlignmentQuality& quality) { return quality.layers[l]; });
  const auto [layer, head] = best_head(last);
  add_curve(text("layer ", layer + 1, ", head ", head + 1),
            [l = layer, h = head](const AlignmentQuality& quality) { return quality.heads[l][h]; });
  page.heading(3, "Alignment");
  page.paragraph(text(
      "The text comes with the words that translate each other. How often does a target word, while it is "
      "written, look most at a word that it translates? By the mean of each layer's heads, and by the head "
      "that "
      "does best in the end: layer ",
      layer + 1, ", head ", head + 1, "."));
  page.charts({chart});
}

}  // namespace

Html milestones_content(const std::vector<Milestone>& milestones) {
  Html page;
  if (milestones.empty()) return page;
  if (!milestones.front().translations.empty()) add_translations(page, milestones);
  if (!milestones.back().attention.empty() || !milestones.back().layers.empty()) add_steps(page, milestones);
  if (!milestones.back().alignment.layers.empty()) add_alignment(page, milestones);
  return page;
}

}  // namespace gradual
