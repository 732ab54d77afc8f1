#include <gradual/nn/inspect/head_effects.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/diagnosis/heads.hpp>
#include <gradual/nn/drawing/axis.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

// The layers that look at the source, in the order in which alignment_quality() has them.
std::vector<std::string> layers_to_source(const Translator& translator, const SentencePair& pair) {
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  AttentionRecorder recorder;
  translator.model().loss(make_batch({translator.encode(pair)}, {0}), {});
  std::vector<std::string> names;
  for (const RecordedAttention& each : recorder.recorded())
    if (each.to == AttentionTo::source) names.push_back(each.layer);
  return names;
}

std::string signed_text(double value) { return (value > 0 ? "+" : "") + fixed_text(value, 2); }

std::string name_of(const HeadReport::Row& row) { return text(row.layer, ", head ", row.head + 1); }

}  // namespace

HeadReport examine_heads(const Translator& translator, const std::vector<SentencePair>& all,
                         const std::vector<AlignedPair>& all_aligned, const TestSettings& settings) {
  const std::vector<ModelHead> heads = attention_heads(translator.model());
  if (heads.empty())
    throw std::invalid_argument("heads: the model must have heads that can be taken out: it has none");
  const std::vector<SentencePair> pairs = with_room(translator, all);
  if (pairs.empty())
    throw std::invalid_argument(
        text("heads: some pairs must be left to translate: of ", all.size(), " none fits the model"));
  std::vector<AlignedPair> aligned;
  std::copy_if(all_aligned.begin(), all_aligned.end(), std::back_inserter(aligned),
               [&](const AlignedPair& each) { return translator.has_room_for(each.pair); });
  HeadReport report;
  report.too_long = static_cast<Index>(all.size() - pairs.size());
  const auto judge_all = [&] {
    const std::vector<BleuCounts> counts =
        bleu_counts(judge(translator, pairs, settings.search), settings.bleu);
    if (report.sentences > 0) return counts;
    BleuCounts whole;
    for (const BleuCounts& each : counts) whole += each;
    report.bleu = whole.score();
    report.sentences = static_cast<Index>(counts.size());
    return counts;
  };
  AlignmentQuality quality;
  std::vector<std::string> to_source;
  if (!aligned.empty()) {
    quality = alignment_quality(translator, aligned);
    to_source = layers_to_source(translator, aligned.front().pair);
  }
  for (const HeadEffect& effect : ablate_heads<BleuCounts>(heads, judge_all)) {
    report.rows.push_back({effect.head.layer, effect.head.number, effect.change, std::nullopt});
    const auto layer = std::find(to_source.begin(), to_source.end(), effect.head.layer);
    if (layer != to_source.end())
      report.rows.back().alignment = quality.heads[static_cast<std::size_t>(layer - to_source.begin())]
                                                  [static_cast<std::size_t>(effect.head.number)];
  }
  return report;
}

std::string HeadReport::text() const {
  std::vector<Row> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Row& a, const Row& b) { return a.bleu.change < b.bleu.change; });
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, name_of(row).size());
  std::string lines = gradual::text(
      "BLEU ", fixed_text(bleu, 2), " of ", sentences, " sentences",
      too_long > 0 ? gradual::text(", ", too_long, " left out as too long") : "", "; without\n");
  for (const Row& row : sorted) {
    const std::string interval = "[" + signed_text(row.bleu.low) + ", " + signed_text(row.bleu.high) + "]";
    lines += "  " + left_in(width, name_of(row)) + right_in(8, signed_text(row.bleu.change)) + "  " +
             (row.alignment ? left_in(18, interval) + percent_text(*row.alignment) + " on the right word"
                            : interval) +
             "\n";
  }
  return lines;
}

std::string draw_heads(const HeadReport& report) {
  constexpr double width = 720, row = 20, top = 44, label = 232, middle = 480, right = 708;
  const double bottom = top + row * static_cast<double>(report.rows.size());
  std::vector<double> ends{0};
  for (const HeadReport::Row& each : report.rows) {
    ends.push_back(each.bleu.low);
    ends.push_back(each.bleu.high);
  }
  const ChartAxis axis = loose_axis(ends, 5, false);
  const auto at = [&](double bleu) { return label + axis.position(bleu) * (middle - label); };
  Svg svg(width, bottom + 12, "heads",
          "How BLEU changes without each head, and how often it looks at the right word");
  svg.open("g", {{"font-size", 12}});
  svg.text(label, 14, "change of BLEU without it", {{"class", "title"}});
  svg.text(middle + 30, 14, "looks at the right word", {{"class", "title"}});
  for (const double tick : axis.ticks) {
    const double x = at(tick);
    svg.element("line", {{"x1", x}, {"x2", x}, {"y1", top - 8}, {"y2", bottom}, {"class", "grid"}});
    svg.text(x, top - 12, with_minus(trimmed_text(tick, 2)), {{"text-anchor", "middle"}, {"class", "soft"}});
  }
  double y = top + row / 2;
  for (const HeadReport::Row& each : report.rows) {
    const std::string name = name_of(each);
    const std::string change =
        text(name, ": ",
             with_minus(text(signed_text(each.bleu.change), " [", signed_text(each.bleu.low), ", ",
                             signed_text(each.bleu.high), "]")));
    const std::string colour = each.bleu.is_sure() ? "var(--g-0)" : "var(--g-soft)";
    svg.text(label - 12, y + 4, name, {{"text-anchor", "end"}});
    svg.element("line",
                {{"x1", at(each.bleu.low)},
                 {"x2", at(each.bleu.high)},
                 {"y1", y},
                 {"y2", y},
                 {"stroke", colour},
                 {"stroke-width", 2}},
                change);
    svg.element("circle", {{"cx", at(each.bleu.change)}, {"cy", y}, {"r", 4}, {"fill", colour}}, change);
    if (each.alignment) {
      const double share = *each.alignment * (right - middle - 80);
      svg.element(
          "rect",
          {{"x", middle + 30}, {"y", y - 5}, {"width", share}, {"height", 10}, {"fill", "var(--g-1)"}});
      svg.text(right, y + 4, percent_text(*each.alignment, 0), {{"text-anchor", "end"}});
    }
    y += row;
  }
  return svg.finish();
}

std::string heads_page(const HeadReport& report) {
  Html page;
  page.paragraph(
      "Each head is taken out in turn, and the same sentences are translated again. The dot is the change of "
      "BLEU, the "
      "line where it lies in 95 of 100 draws of these sentences; grey where that may as well be nothing. "
      "Beside heads "
      "that look at the source: how often they look at the word that is being translated.");
  page.picture(draw_heads(report));
  return html_page("What each head is good for",
                   text("BLEU ", fixed_text(report.bleu, 2), " of ", report.sentences, " sentences"), page);
}

}  // namespace gradual
