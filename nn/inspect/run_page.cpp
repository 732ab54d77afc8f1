#include <gradual/nn/inspect/run_page.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

// A curve of thousands of steps as the means of at most `most` stretches.
std::vector<TrainingPoint> thinned(const std::vector<TrainingPoint>& points, std::size_t most) {
  const std::size_t stretch = (points.size() + most - 1) / most;
  std::vector<TrainingPoint> result;
  for (std::size_t first = 0; first < points.size(); first += stretch) {
    const std::size_t last = std::min(points.size(), first + stretch);
    TrainingPoint mean = points[last - 1];
    for (double TrainingPoint::*number : {&TrainingPoint::loss, &TrainingPoint::gradient_norm}) {
      mean.*number = 0;
      for (std::size_t i = first; i < last; ++i)
        mean.*number += points[i].*number / static_cast<double>(last - first);
    }
    for (double TrainingPoint::*number : {&TrainingPoint::validation_loss, &TrainingPoint::validation_bleu}) {
      for (std::size_t i = first; i < last; ++i)
        if (!std::isnan(points[i].*number)) mean.*number = points[i].*number;
    }
    result.push_back(mean);
  }
  return result;
}

// The measured values of one number over the steps.
Series series_of(const std::vector<TrainingPoint>& training, std::string name,
                 double TrainingPoint::*number) {
  Series series{std::move(name), {}, {}};
  for (const TrainingPoint& point : training) {
    // A validation loss is measured now and then: joined, not interrupted, where it is not.
    if (std::isnan(point.*number)) continue;
    series.x.push_back(static_cast<double>(point.step));
    series.y.push_back(point.*number);
  }
  return series;
}

// What the loss says, at the start and at the end. `lowest`: what smoothed labels allow, 0 without.
std::string loss_in_words(const std::vector<TrainingPoint>& training, double lowest, bool two_passes) {
  const auto among = [](double loss) { return text("one among ", short_text(std::exp(loss), 2)); };
  const double first = training.front().loss, last = training.back().loss;
  if (lowest > 0)
    return text(
        "The loss is how much the right next word surprises, −ln of the probability that it was given, and a "
        "little of how much all other words do: labels are smoothed, so that no model is sure beyond reason, "
        "and no loss falls below ",
        fixed_text(lowest, 2), ". It began at ", short_text(first, 3), " and ended at ", short_text(last, 3),
        ", ", fixed_text(std::max(last - lowest, 0.0), 2), " above that.",
        two_passes ? " It has in it how far two passes with other dropout are apart, too." : "");
  if (two_passes)
    return text(
        "The loss is how much the right next word surprises, −ln of the probability that it was given, on "
        "average, and how far two passes with other dropout are apart. It began at ",
        short_text(first, 3), " and ended at ", short_text(last, 3), ".");
  return text(
      "The loss is how much the right next word surprises: −ln of the probability that it was given, on "
      "average. It began at ",
      short_text(first, 3), ", as sure as who guesses ", among(first), " words, and ended at ",
      short_text(last, 3), ", as who guesses ", among(last), ".");
}

void add_curves(Html& page, const Run& run) {
  const std::vector<TrainingPoint>& all = run.training;
  const double lowest_loss = run.lowest_loss;
  const std::vector<TrainingPoint> training = thinned(all, 400);
  LineChart loss{"Loss (nats per token)", "step", {series_of(training, "training", &TrainingPoint::loss)}};
  Series validation = series_of(training, "validation", &TrainingPoint::validation_loss);
  const bool validated = !validation.x.empty();
  if (validated) loss.series.push_back(std::move(validation));
  if (lowest_loss > 0) {
    const auto first = static_cast<double>(training.front().step),
               last = static_cast<double>(training.back().step);
    loss.series.push_back({"the least that smoothed labels allow: " + fixed_text(lowest_loss, 2),
                           {first, last},
                           {lowest_loss, lowest_loss},
                           true});
  }
  page.heading(2, "Training");
  page.charts({loss}).paragraph(loss_in_words(all, lowest_loss, run.two_passes));
  if (validated)
    page.paragraph(
        "The training loss is what training makes small: with dropout, and with label smoothing where it is "
        "on. The validation loss is without both, so it may be the lower one.");
  std::vector<LineChart> others;
  const auto add = [&](const char* title, double TrainingPoint::*number) {
    LineChart chart{title, "step", {series_of(training, title, number)}};
    if (!chart.series.front().x.empty()) others.push_back(std::move(chart));
  };
  add("Learning rate", &TrainingPoint::learning_rate);
  add("Gradient norm", &TrainingPoint::gradient_norm);
  add("Validation BLEU", &TrainingPoint::validation_bleu);
  page.charts(others).paragraph(
      "The learning rate is how far a step moves the weights. The gradient norm is how steep the loss is in "
      "all of them together: it should settle; a spike is a batch unlike the others, and a rise that goes on "
      "ends in NaN, which is no number any more.");
}

void add_searches(Html& page, const std::vector<Explanation>& searches) {
  std::vector<Html::Choice> choices;
  for (const Explanation& search : searches)
    choices.push_back(
        {isolated(search.source) + " → " + isolated(search.translation()), explanation_content(search)});
  page.heading(2, "Word by word");
  page.paragraph(
      "Choose a word of a translation, by pointing, tapping or with the tab key, to see how probable it was "
      "after the words before it, which others were nearest, and what the model looked at.");
  page.choices("Translation", choices);
}

Html table_of(const TranslatedText& translated) {
  const std::vector<TranslatedSentence>& sentences = translated.sentences;
  const bool differ = std::any_of(sentences.begin(), sentences.end(), [](const TranslatedSentence& each) {
    return each.translation != each.reference;
  });
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;
  for (const TranslatedSentence& each : sentences) {
    rows.push_back({each.source, each.reference});
    if (differ) rows.back().push_back(each.translation);
    right.push_back(each.right);
  }
  const std::vector<std::string> header =
      differ ? std::vector<std::string>{"Source", "Reference", "Translation"}
             : std::vector<std::string>{"Source", "Translation, as the reference has it"};
  Html content;
  content.paragraph(translated.note).table(header, rows, right);
  return content;
}

void add_translations(Html& page, const std::vector<TranslatedText>& translations) {
  page.heading(2, "Translations");
  if (translations.size() == 1) {
    page.markup(table_of(translations.front()).str());
    return;
  }
  std::vector<Html::Choice> choices;
  for (const TranslatedText& each : translations) choices.push_back({each.name, table_of(each)});
  page.choices("Text", choices);
}

// Which head gives most of its weight to one word, and which spreads it, where there are several that differ.
std::string extremes_of(const AttentionKind& kind) {
  const auto decided = [](const AttentionMap& map) {  // the mean of the rows' largest weights
    check_attention_map(map, "run_page");
    double sum = 0;
    for (std::size_t i = 0; i < map.queries.size(); ++i) {
      double largest = 0;
      for (std::size_t j = 0; j < map.keys.size(); ++j)
        largest = std::max(largest, static_cast<double>(map.weight(i, j)));
      sum += largest;
    }
    return sum / static_cast<double>(std::max<std::size_t>(map.queries.size(), 1));
  };
  std::vector<std::pair<double, std::string>> heads;
  for (std::size_t l = 0; l < kind.layers.size(); ++l)
    for (std::size_t h = 0; h < kind.layers[l].size(); ++h)
      heads.emplace_back(decided(kind.layers[l][h]), text("head ", h + 1, " of layer ", l + 1));
  if (heads.size() < 2) return "";
  const auto [least, most] = std::minmax_element(heads.begin(), heads.end());
  const std::string smallest = fixed_text(least->first, 2), largest = fixed_text(most->first, 2);
  if (smallest == largest) return "";
  return text("The most decided is ", most->second, ", where a word gives ", largest,
              " of its attention to a single word, on average; the least is ", least->second, ", with ",
              smallest, ".");
}

Html kind_content(const AttentionKind& kind, std::size_t most_words) {
  Html content;
  if (!kind.meaning.empty()) content.paragraph(kind.meaning);
  if (const std::string found = extremes_of(kind); !found.empty()) content.paragraph(found);
  for (std::size_t l = 0; l < kind.layers.size(); ++l) {
    std::vector<std::string> heads;
    for (std::size_t h = 0; h < kind.layers[l].size(); ++h) {
      AttentionMap map = beginning_of(kind.layers[l][h], most_words);
      if (map.title.empty()) map.title = text("Head ", h + 1);
      heads.push_back(draw_attention_map(map));
    }
    content.pictures(heads, text("Layer ", l + 1));
  }
  return content;
}

std::size_t longest_side(const SentenceAttention& attention) {
  std::size_t longest = 0;
  for (const AttentionKind& kind : attention.kinds)
    for (const std::vector<AttentionMap>& layer : kind.layers)
      for (const AttentionMap& map : layer)
        longest = std::max({longest, map.queries.size(), map.keys.size()});
  return longest;
}

void add_attention(Html& page, const std::vector<SentenceAttention>& sentences) {
  std::vector<Html::Choice> choices;
  for (const SentenceAttention& sentence : sentences) {
    std::vector<Html::Choice> kinds;
    const std::size_t most_words = words_in_maps(sentence);
    for (const AttentionKind& kind : sentence.kinds)
      kinds.push_back({kind.name, kind_content(kind, most_words)});
    Html content;
    if (longest_side(sentence) > most_words)
      content.paragraph(
          text("The sentence is long. The maps show the first ", most_words,
               " words of either side, so that a row sums to less than 1 where it looks beyond them."));
    content.choices("Attention", kinds);
    choices.push_back({isolated(sentence.source) + " → " + isolated(sentence.translation), content});
  }
  page.heading(2, "Every head");
  page.paragraph(
      "A layer is one round of looking; each of its heads looks in its own way, with queries and keys of its "
      "own, and the next layer goes on with what they found (chapter 7 of the book). Each row of a map is a "
      "word that looks, with its query, and each column one that is looked at, with "
      "its key. The stronger a cell, the more of the column's value goes into the row's word; a row sums to "
      "1. Point at a cell, or tap it, to read its weight. ▷ begins a sentence, ⏎ ends it.");
  page.choices("Sentence", choices);
}

}  // namespace

std::size_t words_in_maps(const SentenceAttention& attention) {
  constexpr double most_cells = 25000;  // a hundred bytes each
  std::size_t maps = 0;
  for (const AttentionKind& kind : attention.kinds)
    for (const std::vector<AttentionMap>& layer : kind.layers) maps += layer.size();
  const double side = std::sqrt(most_cells / static_cast<double>(std::max<std::size_t>(maps, 1)));
  return std::max(static_cast<std::size_t>(side), std::size_t{8});
}

std::string run_page(const Run& run) {
  Html page;
  if (!run.figures.empty()) page.figures(run.figures);
  if (!run.note_on_figures.empty())
    page.markup("<p class=\"label\">" + escaped(run.note_on_figures) + "</p>\n");
  if (!run.milestones.empty())
    page.heading(2, "While it learnt").markup(milestones_content(run.milestones, run.training).str());
  if (!run.translations.empty()) add_translations(page, run.translations);
  if (!run.searches.empty()) add_searches(page, run.searches);
  if (!run.attention.empty()) add_attention(page, run.attention);
  if (!run.training.empty()) add_curves(page, run);
  if (!run.configuration.empty())
    page.heading(2, "Configuration").paragraph(run.note_on_configuration).key_values(run.configuration);
  return html_page(run.title, run.subtitle, page);
}

}  // namespace gradual
