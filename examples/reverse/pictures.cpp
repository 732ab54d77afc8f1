#include "pictures.hpp"

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/text/vocabulary.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"

using namespace gradual;

namespace {

using Labels = std::vector<std::string>;

Labels labels(const std::vector<std::int32_t>& words) {
  Labels result;
  for (std::int32_t word : words) result.push_back(std::to_string(word - Vocabulary::unknown));
  return result;
}

// The weight of the word that is written, averaged over the words of a map; its last row and column are the
// end token.
double mirrored_weight(const AttentionMap& map) {
  const std::size_t words = map.keys.size() - 1;
  double total = 0;
  for (std::size_t t = 0; t < words; ++t) total += static_cast<double>(map.weight(t, words - 1 - t));
  return total / static_cast<double>(words);
}

// Each in a picture of its own: in a grid of them, the numbers on the sides are too small to read.
std::vector<std::string> maps_of_heads(std::vector<std::vector<AttentionMap>> layers) {
  std::vector<std::string> pictures;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (AttentionMap& map : layers[l]) {
      if (layers.size() > 1) map.title = text("layer ", l + 1, ", ", map.title);
      pictures.push_back(draw_attention_map(map));
    }
  }
  return pictures;
}

}  // namespace

std::string shown(const std::vector<std::int32_t>& words) { return list_text(labels(words)); }

std::vector<std::vector<AttentionMap>> cross_attention(Transformer& model, const EncodedPair& pair) {
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  model.loss(make_batch({pair}, {0}), {});
  Labels read = labels(pair.source), written = labels(pair.target);
  read.push_back("⏎");
  written.push_back("⏎");
  std::vector<std::vector<AttentionMap>> layers;
  for (const Tensor& weights : recorder.to_source()) layers.push_back(attention_maps(weights, written, read));
  return layers;
}

std::vector<std::vector<double>> mirrored_weights(Transformer& model, const std::vector<EncodedPair>& pairs) {
  std::vector<std::vector<double>> means;
  for (const EncodedPair& pair : pairs) {
    const auto layers = cross_attention(model, pair);
    means.resize(layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
      means[l].resize(layers[l].size(), 0);
      for (std::size_t h = 0; h < layers[l].size(); ++h)
        means[l][h] += mirrored_weight(layers[l][h]) / static_cast<double>(pairs.size());
    }
  }
  return means;
}

AttentionMap clearest_map(Transformer& model, const std::vector<Judged>& judged) {
  AttentionMap clearest;
  double most = -1;
  for (auto& layer : cross_attention(model, judged[judged.size() / 2].pair)) {
    for (AttentionMap& map : layer) {
      if (mirrored_weight(map) <= most) continue;
      most = mirrored_weight(map);
      clearest = std::move(map);
    }
  }
  clearest.title = "What the decoder looks at while it writes";
  return clearest;
}

std::string LengthGroup::name() const {
  return shortest == longest ? text(longest) : text(shortest, "-", longest);
}

std::vector<LengthGroup> by_length(const std::vector<Judged>& judged, std::size_t longest) {
  const std::size_t width = std::max<std::size_t>(1, (longest + 4) / 5);
  std::vector<LengthGroup> groups;
  for (std::size_t first = 1; first <= longest; first += width)
    groups.push_back({first, std::min(longest, first + width - 1), {}});
  for (const Judged& each : judged) groups[(each.pair.source.size() - 1) / width].judged.push_back(each);
  return groups;
}

std::string page_of(Transformer& model, const Settings& settings, const LearningCurve& curve,
                    const std::vector<Judged>& judged) {
  Html page;
  const double share = exact(judged);
  const auto wrong = static_cast<std::size_t>(
      std::count_if(judged.begin(), judged.end(), [](const Judged& each) { return !each.right(); }));
  page.paragraph(text(percent_text(share), " of ", judged.size(),
                      " sequences that it never saw come out exactly backwards: ", wrong,
                      wrong == 1 ? " goes" : " go", " wrong (standard error: ",
                      fixed_text(standard_error(100 * share, static_cast<double>(judged.size())), 1),
                      " points). A guess would be right in 1 of ", settings.words,
                      " words, and hardly ever in a whole sequence."));
  page.figures({{"Unseen sequences exactly right", percent_text(exact(judged))},
                {"CPU time of training", fixed_text(curve.processor_seconds(), 0) + " s"},
                {"Steps", std::to_string(settings.steps)},
                {"Parameters", grouped_text(count(parameters(model)))}});

  page.heading(2, "The anti-diagonal");
  Html words;
  words.paragraph(
      "Each row is a word that the decoder writes, each column a word that it reads. To write backwards it "
      "looks at the last word first, and then one further to the left with each word that it writes.");
  words.paragraph(
      "That place is another for each length, and nothing but the end token ⏎ tells the length: the model "
      "has to find out how far from the end each word stands.");
  page.beside(words, draw_attention_map(clearest_map(model, judged)));

  page.heading(2, "Training");
  page.charts({{"Loss: −ln of the right word's probability", "step", {curve.losses()}},
               {"Unseen sequences exactly right (%)", "step", {curve.figures("exact", 100)}}});

  page.heading(2, "By length");
  std::vector<std::vector<std::string>> rows;
  for (const LengthGroup& group : by_length(judged, static_cast<std::size_t>(settings.longest))) {
    std::string lengths = group.name();
    const std::size_t hyphen = lengths.find('-');
    if (hyphen != std::string::npos) lengths.replace(hyphen, 1, "–");
    rows.push_back({lengths, std::to_string(group.judged.size()),
                    group.judged.empty() ? "" : percent_text(exact(group.judged))});
  }
  page.table({"Words", "Unseen sequences", "Exactly right"}, rows);

  page.heading(2, "Every head");
  page.paragraph(
      "The same sequence, head by head. A head whose strong cells run from the upper right to the lower left "
      "fetches the word that is to be written.");
  page.pictures(maps_of_heads(cross_attention(model, judged[judged.size() / 2].pair)));

  page.heading(2, "Unseen sequences");
  rows.clear();
  std::vector<bool> right;
  const auto show = [&](const Judged& each) {
    rows.push_back({shown(each.pair.source), shown(each.written)});
    right.push_back(each.right());
  };
  constexpr std::size_t most_shown = 10;
  for (const Judged& each : judged)
    if (!each.right() && rows.size() < most_shown) show(each);
  for (std::size_t i = 0; i < judged.size(); i += std::max<std::size_t>(1, judged.size() / most_shown))
    if (judged[i].right()) show(judged[i]);
  if (wrong > 0)
    page.paragraph(wrong > most_shown
                       ? text("The first ", most_shown, " that go wrong, then some that are right.")
                       : "All that go wrong, then some that are right.");
  page.table({"Sequence", "Written"}, rows, right);
  add_places_in_code(page, "reverse",
                     {{"examples/reverse/reversing.cpp", "the model, and how it is trained and tested"},
                      {"nn/transformer/transformer.cpp", "the transformer"},
                      {"nn/data/reversal.cpp", "the sequences"}});
  return html_page(
      "A transformer learns to write backwards",
      text(settings.words, " words, up to ", settings.longest, " in a sequence, seed ", settings.seed), page);
}
