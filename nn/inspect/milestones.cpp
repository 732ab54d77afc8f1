#include <gradual/nn/inspect/milestones.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/attention_graph.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/text/utf8.hpp>

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
    words +=
        text("; and for ", std::lround(100 * *std::max_element(layers.begin(), layers.end())),
             " of 100 words it looks most, before it writes them, at the very word of the text that they "
             "translate");
  }
  return words + ".";
}

// What a model writes that repeats a word until it must end is cut where it is far longer than what is right:
// the rows stay where they are while the slider moves.
std::string beginning_of(const std::string& written, const std::string& reference) {
  const std::size_t most = 20 + reference.size() + reference.size() / 2;
  if (written.size() <= most) return written;
  std::size_t end = written.rfind(' ', most);
  if (end == std::string::npos) end = whole_characters(written, most).size();
  return written.substr(0, end) + " …";
}

void add_translations(Html& page, const Milestone& milestone) {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;
  for (const TranslatedSentence& each : milestone.translations) {
    rows.push_back({each.source + "\n" + each.reference,
                    each.translation.empty() ? "(nothing)" : beginning_of(each.translation, each.reference)});
    right.push_back(each.right);
  }
  page.table({"A sentence that it never saw, and what is right", "What it writes"}, rows, right);
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

// The steps lie on a logarithmic axis, as milestones do.
LineChart over_steps(const std::string& title) {
  LineChart chart{title, "step", {}};
  chart.log_x = true;
  return chart;
}

LineChart alignment_chart(const std::vector<Milestone>& milestones) {
  const AlignmentQuality& last = milestones.back().alignment;
  LineChart chart = over_steps("Attention on the right word (% of words)");
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

// From the first milestone on, so that its axis is that of the alignment. Means of stretches each of which
// ends a little later, in proportion, than the one before.
LineChart loss_chart(const std::vector<TrainingPoint>& training, Index first_step) {
  constexpr double stretch = 1.1;  // some fifty points: it is drawn once for each milestone
  Series loss{"loss", {}, {}};
  double sum = 0, count = 0, end = 0;
  for (const TrainingPoint& point : training) {
    const auto step = static_cast<double>(point.step);
    sum += point.loss;
    ++count;
    if (point.step < first_step || (step < end && &point != &training.back())) continue;
    loss.x.push_back(step);
    loss.y.push_back(sum / count);
    end = stretch * step;
    sum = count = 0;
  }
  LineChart chart = over_steps("Loss (nats per token)");
  chart.series = {loss};
  return chart;
}

Html heads_of(const Milestone& milestone) {
  std::vector<Html::Choice> heads;
  for (std::size_t l = 0; l < milestone.heads.size(); ++l)
    for (std::size_t h = 0; h < milestone.heads[l].size(); ++h) {
      AttentionMap map = milestone.heads[l][h];
      map.title = text("layer ", l + 1, ", head ", h + 1);
      heads.push_back({map.title, Html().pictures({draw_attention_map(map)})});
    }
  return Html().choices("Head", heads);
}

// "encoder.0" as the maps call it: "encoder, layer 1"; other names with spaces.
std::string layer_label(std::string name) {
  if (const std::size_t point = name.find('.'); point != std::string::npos) {
    const char* const end = name.data() + name.size();
    std::int32_t layer = 0;
    const auto [rest, error] = std::from_chars(name.data() + point + 1, end, layer);
    if (error == std::errc() && rest == end)
      return name.substr(0, point) + text(", layer ", std::int64_t{layer} + 1);
  }
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// The lowest weight of all layers and milestones and the highest, with 0 and 1 between them.
std::pair<double, double> axis_of_weights(const std::vector<Milestone>& milestones) {
  double first = 0, last = 1;
  for (const Milestone& milestone : milestones)
    for (const LayerNumbers& each : milestone.layers) {
      first = std::min(first, each.lowest);
      last = std::max(last, each.highest);
    }
  return {first, last};
}

Html layers_of(const Milestone& milestone, const std::pair<double, double>& axis) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pictures;
  for (const LayerNumbers& each : milestone.layers) {
    rows.push_back({layer_label(each.name),
                    std::isnan(each.gradient) ? "" : significant_text(each.gradient, 3),
                    significant_text(each.lowest, 3), significant_text(each.highest, 3)});
    pictures.push_back(each.picture(axis.first, axis.second));
  }
  Html content;
  content.paragraph(
      "Move the slider and watch: a layer whose gradient stays near 0 learns nothing; one whose gradient is "
      "far longer than those of the others disturbs them. Weights begin around 0 and spread. What stands "
      "around 1 are the numbers that a layer norm multiplies by: they begin at 1.");
  return content.table({"Layer", "Length of its gradient", "Lowest weight", "Highest weight",
                        text("How many weights there are from ", with_minus(fixed_text(axis.first, 2)),
                             " to ", fixed_text(axis.second, 2), ", at every step; lines at 0 and 1")},
                       rows, {}, {0, 0, pictures});
}

// What the pictures of a milestone are of: the right words, whatever the model itself would write.
std::string note_on_told(const SentencePair& told) {
  if (told.source.empty()) return "Where it looks before each word while the right words are told to it.";
  return "Where it looks in “" + isolated(told.source) + "” before each word of “" + isolated(told.target) +
         "”: these right words are told to it one by one, whatever it would write itself.";
}

// Whether a page bears the maps of all heads at all steps: each cell takes about 120 bytes.
bool heads_fit(const std::vector<Milestone>& milestones) {
  constexpr std::size_t most_cells = 12000;
  std::size_t cells = 0;
  for (const Milestone& milestone : milestones)
    for (const std::vector<AttentionMap>& layer : milestone.heads)
      for (const AttentionMap& head : layer) cells += head.queries.size() * head.keys.size();
  return cells <= most_cells;
}

Html content_of(const Milestone& milestone, const std::vector<LineChart>& charts,
                const std::vector<std::string>& notes, const std::pair<double, double>& axis, double loss,
                bool with_heads) {
  Html content;
  content.paragraph(meaning(milestone, loss));
  content.markup("<div class=\"beside\">\n<div>");
  if (!milestone.translations.empty()) add_translations(content, milestone);
  content.markup("</div>\n<div>");
  if (!milestone.attention.empty()) {
    AttentionMap last = milestone.attention.back();
    last.title = "The last layer, the mean of its heads";
    content.markup("<p class=\"label\">" + escaped(note_on_told(milestone.told)) + "</p>\n");
    content.pictures({draw_attention_graph(last)});
  }
  content.markup("</div>\n</div>\n");
  std::vector<LineChart> marked = charts;
  for (LineChart& chart : marked) chart.x_lines = {static_cast<double>(milestone.step)};
  if (!marked.empty()) {
    content.charts(marked);
    for (const std::string& each : notes) content.paragraph(each);
  }
  std::vector<std::string> maps;
  for (const AttentionMap& map : milestone.attention) maps.push_back(draw_attention_map(map));
  const bool beside = !maps.empty() && !milestone.heads.empty() && with_heads;
  if (beside) content.markup("<div class=\"beside half\">\n<div>");
  if (!maps.empty())
    content
        .heading(4,
                 "The same as maps, a row for each right word: the mean of each layer's heads, and one head")
        .pictures(maps);
  if (beside) content.markup("</div>\n<div>");
  if (!milestone.heads.empty()) {
    if (with_heads)
      content.markup(heads_of(milestone).str());
    else
      content.paragraph(
          "The heads one by one are drawn at the last step alone, or the page would be too large.");
  }
  if (beside) content.markup("</div>\n</div>\n");
  if (!milestone.layers.empty())
    content.heading(4, "Gradients and weights, layer by layer").markup(layers_of(milestone, axis).str());
  return content;
}

// A paragraph for all charts, and one for that of attention.
std::vector<std::string> notes_on_charts(const std::vector<Milestone>& milestones) {
  std::vector<std::string> notes{
      "The dashed line is the step of the slider; steps lie on a logarithmic axis. The loss is how much the "
      "right word surprises, −ln of its probability, and what else training makes smaller; it is counted in "
      "nats, as logarithms to the base e are."};
  if (milestones.back().alignment.layers.empty()) return notes;
  const auto [layer, head] = best_head(milestones.back().alignment);
  notes.push_back(text(
      "The embedded corpus records which word translates which. Attention is on the right word where the "
      "model, before it writes a word, looks most at the one that this translates: in the mean of each "
      "layer's heads, and in the head that is best in the end (a mean can be better than each of its "
      "heads), layer ",
      layer + 1, ", head ", head + 1, "."));
  return notes;
}

// The first at which some sentences are right and others wrong: there is the most to see. None: nothing.
std::optional<std::size_t> telling_one(const std::vector<Milestone>& milestones) {
  const auto found = std::find_if(milestones.begin(), milestones.end(), [](const Milestone& each) {
    const auto right = std::count_if(each.translations.begin(), each.translations.end(),
                                     [](const TranslatedSentence& sentence) { return sentence.right; });
    return right > 0 && static_cast<std::size_t>(right) < each.translations.size();
  });
  if (found == milestones.end()) return {};
  return static_cast<std::size_t>(found - milestones.begin());
}

}  // namespace

Html milestones_content(const std::vector<Milestone>& milestones,
                        const std::vector<TrainingPoint>& training) {
  Html page;
  if (milestones.empty()) return page;
  std::vector<LineChart> charts;
  if (!training.empty()) charts.push_back(loss_chart(training, milestones.front().step));
  if (!milestones.back().alignment.layers.empty()) charts.push_back(alignment_chart(milestones));
  const std::vector<std::string> notes = notes_on_charts(milestones);
  const bool all_heads = heads_fit(milestones);
  const std::pair<double, double> axis = axis_of_weights(milestones);
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
    choices.push_back(
        {std::to_string(milestone.step),
         content_of(milestone, charts, notes, axis, loss, all_heads || &milestone == &milestones.back())});
  }
  const std::optional<std::size_t> telling = telling_one(milestones);
  page.paragraph(
      "What the model could do after so many steps: move the slider, or let it play from the first "
      "look on." +
      (telling ? text(" It is opened at step ", milestones[*telling].step,
                      ", the first look at which some sentences come out right and others wrong.")
               : ""));
  page.choices("Step", choices, Html::Chooser::slider, telling.value_or(0));
  return page;
}

}  // namespace gradual
