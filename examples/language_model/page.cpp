#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

namespace {

std::string attention_picture(const CharacterModel& model, const std::string& written) {
  std::vector<std::string> characters = split_characters(written);
  const auto most = static_cast<std::size_t>(std::min<Index>(20, model.model().config().max_length));
  if (characters.size() > most) characters.resize(most);
  std::vector<std::int32_t> ids;
  for (const std::string& character : characters) ids.push_back(model.characters().encode(character).front());
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  model.model().hidden(Indices({1, static_cast<Index>(ids.size())}, ids));
  return draw_attention(recorder.recorded(), characters).maps;
}

Html lines_of(const std::string& written) {
  Html content;
  std::istringstream lines(written);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) content.paragraph(line);
  return content;
}

}  // namespace

std::string page_of(const CharacterModel& model, const TrainSettings& s, const TrainingResult& result,
                    const std::string& sample) {
  Html page;
  page.figures({{"Validation loss (nats a character)", fixed_text(result.validation_loss, 3)},
                {"Bits a character", fixed_text(result.validation_loss / std::log(2.0), 2)},
                {"CPU time of training", fixed_text(result.curve.processor_seconds(), 0) + " s"},
                {"GFLOP a step", fixed_text(result.curve.gflop_a_step(), 2)}});

  page.heading(2, "Training");
  page.paragraph(
      text("The loss is -ln p, where p is what the model gave to the character that came; by "
           "guessing it would be ln ",
           model.characters().size(), "."));
  page.charts({{"Loss (nats a character)", "step", {result.training, result.validation}}});

  page.heading(2, "What it writes, while it learns");
  page.paragraph(
      "First any letters, then letters as often as they stand in the text, then words, then sentences. "
      "Move the slider back: the model is asked for the same after so many steps.");
  std::vector<Html::Choice> written;
  for (const auto& [step, text_of_step] : result.samples)
    written.push_back({text(step), lines_of(text_of_step)});
  page.choices("Step", written, Html::Chooser::slider);

  page.heading(3, "In the end, at greater length").markup(lines_of(sample).str());

  page.heading(2, "What it looks at");
  page.paragraph(
      "A row for each layer, a column for each head. In a map, each row is a character that was read, and "
      "its colours say which of those up to it count for what comes next. Which head looks one back?");
  page.picture(attention_picture(model, sample));

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
  return html_page(
      "A transformer learns to write",
      text(grouped_text(count(parameters(model.model()))), " parameters, ", s.steps, " steps, seed ", s.seed),
      page);
}
