#include "page.hpp"

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../in_code.hpp"

using namespace gradual;

namespace {

// The characters at the beginning of what was written, and what every head looks at in them.
struct Look {
  std::vector<std::string> characters;
  std::vector<RecordedAttention> layers;
};

Look look_at(const CharacterModel& model, const std::string& written) {
  Look look{split_characters(written), {}};
  const auto most = static_cast<std::size_t>(std::min<Index>(14, model.model().config().max_length));
  if (look.characters.size() > most) look.characters.resize(most);
  std::vector<std::int32_t> ids;
  for (const std::string& character : look.characters)
    ids.push_back(model.characters().encode(character).front());
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  model.model().hidden(Indices({1, static_cast<Index>(ids.size())}, ids));
  look.layers = recorder.recorded();
  return look;
}

// Which head gives the most of its weight to the character before.
std::string who_looks_one_back(const Look& look) {
  const auto length = static_cast<Index>(look.characters.size());
  if (length < 2) return "There is no character before.";
  Tensor before = Tensor::zeros({1, length, length});
  for (Index i = 1; i < length; ++i) before.mutable_data()[i * length + i - 1] = 1;
  std::size_t best_layer = 0, best_head = 0;
  double most = -1;
  for (std::size_t layer = 0; layer < look.layers.size(); ++layer) {
    const std::vector<double> shares = attention_on(look.layers[layer].weights, before);
    const auto best = std::max_element(shares.begin(), shares.end());
    if (*best <= most) continue;
    most = *best;
    best_layer = layer + 1;
    best_head = static_cast<std::size_t>(best - shares.begin()) + 1;
  }
  return text("Head ", best_head, " of layer ", best_layer, ": it gives the character before ",
              percent_text(most, 0), " of its weight, more than any other.");
}

// Its lines in one block.
Html lines_of(const std::string& written) {
  const std::size_t first = written.find_first_not_of('\n');
  Html content;
  content.markup("<p style=\"white-space:pre-line;font-size:15px;line-height:1.45\">" +
                 escaped(first == std::string::npos ? "" : written.substr(first)) + "</p>\n");
  return content;
}

}  // namespace

std::string page_of(const CharacterModel& model, const TrainSettings& s, const TrainingResult& result,
                    const std::string& sample) {
  const Index characters = model.characters().size();
  const double guess = std::log(static_cast<double>(characters));
  Html page;
  page.paragraph(text(
      "On text that it was not trained on, the model gives the character that comes a probability of ",
      percent_text(std::exp(-result.validation_loss), 0), ", in the geometric mean; a guess among the ",
      characters, " characters would give it ", percent_text(1.0 / static_cast<double>(characters), 0), "."));
  page.figures({{"Validation loss (nats a character)", fixed_text(result.validation_loss, 3)},
                {"Bits a character", fixed_text(result.validation_loss / std::log(2.0), 2)},
                {"CPU time of training", fixed_text(result.curve.processor_seconds(), 0) + " s"},
                {"GFLOP a step", fixed_text(result.curve.gflop_a_step(), 2)}});

  page.heading(2, "Training");
  page.paragraph(
      text("The loss is −ln p, where p is what the model gave to the character that came; by guessing it "
           "would be ln ",
           characters, " = ", fixed_text(guess, 2),
           ". It may start above, since the first weights, drawn at random, prefer some characters."));
  page.charts({{"Loss (nats a character)",
                "step",
                {result.training,
                 result.validation,
                 {"a guess", {0, static_cast<double>(s.steps)}, {guess, guess}, true}}}});

  page.heading(2, "What it writes, while it learns");
  page.paragraph(
      "First any letters, then letters as often as they stand in the text, then words, then sentences. Move "
      "the slider: the model begins anew after so many steps, always with the same luck.");
  std::vector<Html::Choice> written;
  for (const auto& [step, text_of_step] : result.samples)
    written.push_back({text(step), lines_of(text_of_step)});
  page.choices("Step", written, Html::Chooser::slider);

  page.heading(3, "Another text by the finished model, longer").markup(lines_of(sample).str());

  page.heading(2, "What it looks at");
  page.paragraph(
      "In a map, each row is a character that was read, and its colours say which of those up to it count "
      "for what comes next. Which head looks one back?");
  const Look look = look_at(model, sample);
  for (const RecordedAttention& layer : look.layers) {
    std::vector<std::string> heads;
    for (const AttentionMap& map : attention_maps(layer.weights, look.characters, look.characters))
      heads.push_back(draw_attention_map(map));
    page.heading(3, text("Layer ", &layer - look.layers.data() + 1)).pictures(heads);
  }
  page.markup("<details><summary>Which head looks one back</summary>")
      .paragraph(who_looks_one_back(look))
      .markup("</details>\n");

  page.heading(2, "Configuration");
  page.key_values({{"text", s.text.empty() ? "generated sentences" : s.text},
                   {"characters", text(model.characters().size())},
                   {"layers", text(s.model.layers)},
                   {"heads", text(s.model.heads)},
                   {"width", text(s.model.width)},
                   {"feed-forward", text(s.model.feed_forward)},
                   {"context", text(s.model.max_length)},
                   {"positions", s.model.positions},
                   {"batch", text(s.batch)},
                   {"learning rate", text(s.schedule.peak)},
                   {"threads", text(thread_count())}});
  add_places_in_code(page, "language_model",
                     {{"nn/transformer/language_model.cpp", "the model"},
                      {"nn/language/continuation.cpp", "how it writes on"},
                      {"examples/language_model/train.cpp", "how it is trained"}});
  return html_page(
      "A transformer learns to write",
      text(grouped_text(count(parameters(model.model()))), " parameters, ", s.steps, " steps, seed ", s.seed),
      page);
}
