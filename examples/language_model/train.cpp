#include "train.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/language/windows.hpp>
#include <gradual/nn/text/read_text.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../terminal/colour.hpp"
#include "page.hpp"

using namespace gradual;
using Tokens = std::vector<std::int32_t>;

namespace {

// Ten thousand sentences of the toy grammar, each on a line.
std::string generated_text(std::uint64_t seed) {
  std::string written;
  for (const SentencePair& pair : make_toy_corpus(seed, 10000, 0, 0).train) written += pair.source + "\n";
  return written;
}

// A text in two parts: the first is trained on, the last tells how well that went.
struct Parts {
  Tokens train, validation;
};

Parts split(const Tokens& tokens, const TrainSettings& settings) {
  const double trained = (1 - settings.validation) * static_cast<double>(tokens.size());
  const auto middle = tokens.begin() + static_cast<Index>(trained);
  Parts parts{{tokens.begin(), middle}, {middle, tokens.end()}};
  const Index context = settings.model.max_length;
  const auto check = [&](const char* part, const Tokens& of_it) {
    if (static_cast<Index>(of_it.size()) <= context)
      throw std::invalid_argument(text("text: its ", part, " part must be longer than the context: it has ",
                                       of_it.size(), " characters, the context ", context,
                                       "; a longer text or a smaller --context helps"));
  };
  check("training", parts.train);
  check("validation", parts.validation);
  return parts;
}

// The loss over ten stretches of a text, a tenth of it in all: enough to see on the way how training goes.
double glance(const LanguageModel& model, const Tokens& tokens, Index context) {
  const auto size = static_cast<Index>(tokens.size());
  const Index stretch = std::max(size / 100, std::min(size, context + 1));
  double total = 0;
  for (Index i = 0; i < 10; ++i) {
    const auto start = tokens.begin() + (size - stretch) * i / 9;
    total += text_loss(model, {start, start + stretch}, context);
  }
  return total / 10;
}

// `prompt` begins what the model writes on the way, always by the same chance: how it writes is what changes.
TrainingResult train(const CharacterModel& writer, const std::string& prompt, const Parts& parts,
                     const TrainSettings& s, Random random) {
  constexpr Index sample_length = 160;
  LanguageModel& model = writer.model();
  Adam adam(parameters(model), s.adam);
  Trainer trainer(model, adam, s.schedule, {s.clip});
  TrainingResult result;
  const auto write_after = [&](Index step) {
    result.samples.emplace_back(step, writer.write_on(prompt, sample_length, {}, Random(s.seed)));
  };
  write_after(0);
  trainer.times(100, [&](const TrainingStep& now) {
    result.training.x.push_back(static_cast<double>(now.step));
    result.training.y.push_back(now.loss);
  });
  result.curve.follow(
      trainer, 10, [&] { return glance(model, parts.validation, s.model.max_length); },
      [&](const LearningCurve::Point& at) {
        write_after(at.step);
        if (s.json) return;
        std::cout << right_in(6, text(at.step)) << right_in(10, fixed_text(at.loss, 3))
                  << right_in(12, fixed_text(at.figure, 3)) << right_in(10, duration_text(at.seconds))
                  << std::endl;
      });
  trainer.run([&](Index) {
    const TextWindows windows = random_windows(parts.train, s.batch, s.model.max_length, random);
    return model.loss(windows.input, windows.output);
  });
  result.validation = result.curve.figures("validation");
  result.validation_loss = text_loss(model, parts.validation, s.model.max_length);
  return result;
}

}  // namespace

void run_training(const TrainSettings& s) {
  const std::string content = s.text.empty() ? generated_text(s.seed) : read_text(s.text);
  Random random(s.seed);
  const CharacterModel model(s.model, Characters::of(content), random.split());
  const Parts parts = split(model.characters().encode(content), s);
  make_folder(s.out);
  const Index size = count(parameters(model.model()));
  say_task(s, text("The task: say which character comes next in a text",
                   s.text.empty() ? " of made-up English sentences" : "",
                   ".\nThe loss is small where the right one was held likely.\n"));
  if (!s.json)
    std::cout << wrapped_for_output(text(
                     grouped_text(static_cast<std::int64_t>(parts.train.size())), " characters to train on, ",
                     grouped_text(static_cast<std::int64_t>(parts.validation.size())), " to validate; ",
                     model.characters().size(), " different ones; ", grouped_text(size), " parameters; ",
                     thread_count(), thread_count() == 1 ? " thread" : " threads"))
              << "\n\n  step      loss  validation      time\n";
  const std::string prompt =
      content.find('\n') == std::string::npos ? split_characters(content).front() : "\n";
  const TrainingResult result = train(model, prompt, parts, s, random.split());
  const double seconds = result.curve.seconds(), step_ms = 1000 * seconds / static_cast<double>(s.steps);

  const std::string model_file = s.out + "/model.safetensors";
  model.save(model_file);
  const std::string sample = model.write_on(prompt, 400, {}, random.split());
  if (s.json)
    std::cout << json_text(Json{{"peer", "gradual"},
                                {"params", size},
                                {"steps", s.steps},
                                {"threads", thread_count()},
                                {"cpu_seconds", result.curve.processor_seconds()},
                                {"training_seconds", seconds},
                                {"step_ms", step_ms},
                                {"gflop_per_step", result.curve.gflop_a_step()},
                                {"train_loss", result.curve.points().back().loss},
                                {"validation_loss", result.validation_loss}})
              << std::endl;
  else
    std::cout << "\ntrained, CPU time " << fixed_text(result.curve.processor_seconds(), 1)
              << " s: " << s.steps << " steps of " << fixed_text(result.curve.gflop_a_step(), 2)
              << " GFLOP\nvalidation loss " << fixed_text(result.validation_loss, 4)
              << " nats a character, over all of the validation part\n\n"
              << sample << "\n\nmodel " << model_file << "\n";
  leave_page(s, page_of(model, s, result, sample));
}
