#include <gradual/nn/inspect/milestones.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/attention_graph.hpp>
#include <gradual/nn/drawing/number_text.hpp>

namespace gradual {
namespace {

// What a reader may see of it. `loss`: on held-out text, NaN where it was not measured.
std::string meaning(const Milestone& milestone, double loss) {
  std::string words =
      milestone.step == 0 ? "Before it learns anything" : text("After ", milestone.step, " steps");
  if (!milestone.translations.empty()) {
    const auto right = std::count_if(milestone.translations.begin(), milestone.translations.end(),
                                     [](const TranslatedSentence& each) { return each.right; });
    words += text(" it translates ", right, " of these ", milestone.translations.size(), " sentences right");
  } else {
    words += " it has not been asked to translate";
  }
  if (std::isfinite(loss))
    words += text("; of the right next word, in sentences it never saw, it is as sure as of one among ",
                  short_text(std::exp(loss), 2));
  if (!milestone.alignment.layers.empty()) {
    const std::vector<double>& layers = milestone.alignment.layers;
    words += text("; and of 100 words that it writes, ",
                  std::lround(100 * *std::max_element(layers.begin(), layers.end())),
                  " look most at a word that they translate");
  }
  return words + ".";
}

void add_translations(Html& page, const Milestone& milestone) {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;
  for (const TranslatedSentence& each : milestone.translations) {
    rows.push_back({each.source, each.translation});
    right.push_back(each.right);
  }
  page.table({"Held-out sentence", "Translation"}, rows, right);
}

// A line across the chart at this step.
Series mark_at(Index step, const Series& curve) {
  const auto x = static_cast<double>(step);
  const auto [lowest, highest] = std::minmax_element(curve.y.begin(), curve.y.end());
  return {text("step ", step), {x, x}, {*lowest, *highest}};
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

LineChart alignment_chart(const std::vector<Milestone>& milestones) {
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
  return chart;
}

LineChart loss_chart(const std::vector<TrainingPoint>& training) {
  constexpr std::size_t most_points = 50;  // it is drawn once for each milestone
  const std::size_t stretch = (training.size() + most_points - 1) / most_points;
  Series loss{"loss", {}, {}};
  for (std::size_t first = 0; first < training.size(); first += stretch) {
    const std::size_t last = std::min(training.size(), first + stretch);
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += training[i].loss;
    loss.x.push_back(static_cast<double>(training[last - 1].step));
    loss.y.push_back(sum / static_cast<double>(last - first));
  }
  return {"Loss (nats per token)", "step", {loss}};
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

Html content_of(const Milestone& milestone, const std::vector<LineChart>& charts, double loss) {
  Html content;
  content.paragraph(meaning(milestone, loss));
  content.markup("<div class=\"beside\">\n<div>");
  if (!milestone.translations.empty()) add_translations(content, milestone);
  content.markup("</div>\n<div>");
  if (!milestone.attention.empty()) {
    AttentionMap last = milestone.attention.back();
    last.title = "Where each word looks while it is written";
    content.pictures({draw_attention_graph(last)});
  }
  content.markup("</div>\n</div>\n");
  std::vector<LineChart> marked = charts;
  for (LineChart& chart : marked) chart.series.push_back(mark_at(milestone.step, chart.series.front()));
  if (!marked.empty()) content.charts(marked);
  std::vector<std::string> maps;
  for (const AttentionMap& map : milestone.attention) maps.push_back(draw_attention_map(map));
  if (!maps.empty()) content.heading(4, "The mean of each layer's heads, as a map").pictures(maps);
  if (!milestone.heads.empty()) content.markup(heads_of(milestone).str());
  if (!milestone.layers.empty())
    content.heading(4, "Gradients and weights, layer by layer").markup(layers_of(milestone).str());
  return content;
}

}  // namespace

Html milestones_content(const std::vector<Milestone>& milestones,
                        const std::vector<TrainingPoint>& training) {
  Html page;
  if (milestones.empty()) return page;
  std::vector<LineChart> charts;
  if (!training.empty()) charts.push_back(loss_chart(training));
  if (!milestones.back().alignment.layers.empty()) charts.push_back(alignment_chart(milestones));
  std::vector<Html::Choice> choices;
  for (const Milestone& milestone : milestones) {
    if (milestone.translations.size() != milestones.front().translations.size())
      throw std::invalid_argument(text("milestones: each must have the same sentences: step ",
                                       milestones.front().step, " has ",
                                       milestones.front().translations.size(), ", step ", milestone.step,
                                       " has ", milestone.translations.size()));
    double loss = TrainingPoint::not_measured;
    for (const TrainingPoint& point : training)
      if (point.step <= milestone.step && std::isfinite(point.validation_loss)) loss = point.validation_loss;
    choices.push_back({std::to_string(milestone.step), content_of(milestone, charts, loss)});
  }
  page.choices("Step", choices, Html::Chooser::slider);
  if (!milestones.back().alignment.layers.empty()) {
    const auto [layer, head] = best_head(milestones.back().alignment);
    page.paragraph(text(
        "The text comes with the words that translate each other. The curve on the right tells how often a "
        "word, while it is written, looks most at a word that it translates: by the mean of each layer's "
        "heads, and by the head that does best in the end, layer ",
        layer + 1, ", head ", head + 1, "."));
  }
  return page;
}

}  // namespace gradual
