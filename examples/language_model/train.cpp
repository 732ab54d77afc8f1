#include "train.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/blas.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/inspect/number_text.hpp>
#include <gradual/nn/inspect/page/run_page.hpp>
#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/language/windows.hpp>
#include <gradual/nn/text/toy_corpus.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/training/progress.hpp>
#include <gradual/nn/training/trainer.hpp>

namespace files = std::filesystem;
using namespace gradual;
using Clock = std::chrono::steady_clock;
using Tokens = std::vector<std::int32_t>;

namespace {

// A text of the toy grammar: each sentence is a line.
std::string generated_text(std::uint64_t seed) {
  std::string written;
  for (const SentencePair& pair : make_toy_corpus(seed, 10000, 0, 0).train) written += pair.source + "\n";
  return written;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() || files::is_directory(path)) throw FileError(path, "cannot be read");
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (content.empty()) throw FileError(path, "the text is empty");
  if (const auto byte = first_invalid_byte(content)) throw FileError::at_byte(path, *byte, "not valid UTF-8");
  return content;
}

void make_folder(const std::string& path) {
  std::error_code problem;
  files::create_directories(path, problem);
  if (problem) throw FileError(path, "the folder cannot be made: " + problem.message());
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

struct Result {
  std::vector<TrainingPoint> points;
  double seconds = 0, gflop_a_step = 0, validation_loss = 0;
};

Result train(LanguageModel& model, const Parts& parts, const TrainSettings& s, Random random) {
  const std::vector<NamedParameter> all = parameters(model);
  Adam adam(all, s.adam);
  Trainer trainer(all, adam, s.schedule, s.clip);
  // On the way, a tenth of the validation part has to do.
  const Index context = s.model.max_length;
  const auto some = std::max(context + 1, static_cast<Index>(parts.validation.size()) / 10);
  const Tokens glance(parts.validation.begin(), parts.validation.begin() + some);

  Result result;
  double loss = 0;
  Index reported = 0;
  std::int64_t flops = 0;
  for (Index step = 1; step <= s.steps; ++step) {
    const auto start = Clock::now();
    const std::int64_t flops_before = flop_count();
    const TextWindows windows = random_windows(parts.train, s.batch, context, random);
    const TrainingStep done = trainer.step({[&] { return model.loss(windows.input, windows.output); }});
    flops += flop_count() - flops_before;
    result.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    loss += done.loss;
    if (step * 10 / s.steps == (step - 1) * 10 / s.steps) continue;
    set_training(model, false);
    const double speed = static_cast<double>(step * s.batch * context) / result.seconds;
    result.points.push_back({step, loss / static_cast<double>(step - reported), speed, done.learning_rate,
                             text_loss(model, glance, context)});
    set_training(model, true);
    if (!s.json) {
      const TrainingPoint& point = result.points.back();
      char line[80];
      std::snprintf(line, sizeof line, "%6d%10.3f%12.3f%10s", static_cast<int>(point.step), point.loss,
                    point.validation_loss, duration_text(result.seconds).c_str());
      std::cout << line << std::endl;
    }
    reported = step;
    loss = 0;
  }
  result.gflop_a_step = 1e-9 * static_cast<double>(flops) / static_cast<double>(s.steps);
  set_training(model, false);
  result.validation_loss = text_loss(model, parts.validation, context);
  return result;
}

// What every head looks at in some text that the model wrote.
SentenceAttention attention_to(const CharacterModel& model, const std::string& written) {
  std::vector<std::string> characters = split_characters(written);
  const auto most = static_cast<std::size_t>(std::min<Index>(32, model.model().config().max_length));
  if (characters.size() > most) characters.resize(most);
  std::string shown;
  for (const std::string& character : characters) shown += character;
  const Tokens ids = model.characters().encode(shown);
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  model.model().hidden(Indices({1, static_cast<Index>(ids.size())}, ids));
  AttentionKind kind{"Self-attention", {}};
  for (const RecordedAttention& layer : recorder.recorded())
    kind.layers.push_back(attention_maps(layer.weights, characters, characters));
  return {shown, shown, {kind}};
}

std::string page_of(const CharacterModel& model, const TrainSettings& s, const Result& result,
                    const std::string& sample) {
  Run run;
  run.title = "A transformer learns to write";
  run.subtitle = text(count(parameters(model.model())), " parameters, ", s.steps, " steps, seed ", s.seed);
  run.figures = {{"Validation loss (nats a character)", fixed_text(result.validation_loss, 3)},
                 {"Bits a character", fixed_text(result.validation_loss / std::log(2.0), 2)},
                 {"Training time", fixed_text(result.seconds, 0) + " s"},
                 {"A step", fixed_text(1000 * result.seconds / static_cast<double>(s.steps), 1) + " ms"}};
  run.training = result.points;
  run.attention = {attention_to(model, sample)};
  run.configuration = {{"text", s.text.empty() ? "generated sentences" : s.text},
                       {"layers", text(s.model.decoder_layers)},
                       {"heads", text(s.model.heads)},
                       {"width", text(s.model.width)},
                       {"feed-forward", text(s.model.feed_forward)},
                       {"context", text(s.model.max_length)},
                       {"positions", s.positions},
                       {"batch", text(s.batch)},
                       {"learning rate", text(s.schedule.peak)},
                       {"threads", text(thread_count())},
                       {"BLAS", blas_description()}};
  return run_page(run);
}

}  // namespace

void run_training(const TrainSettings& s) {
  const std::string content = s.text.empty() ? generated_text(s.seed) : read_text(s.text);
  Random random(s.seed);
  const CharacterModel model(s.model, Characters::of(content), random.split());
  const Parts parts = split(model.characters().encode(content), s);
  make_folder(s.out);
  const Index size = count(parameters(model.model()));
  if (!s.json)
    std::cout << parts.train.size() << " characters to train on, " << parts.validation.size()
              << " to validate; " << model.characters().size() << " different ones; " << size
              << " parameters; " << thread_count() << (thread_count() == 1 ? " thread" : " threads")
              << "\n\n  step      loss  validation      time\n";
  const Result result = train(model.model(), parts, s, random.split());

  const std::string model_file = (files::path(s.out) / "model.safetensors").string();
  const std::string page = (files::path(s.out) / "page.html").string();
  model.save(model_file);
  const std::string prompt =
      content.find('\n') == std::string::npos ? split_characters(content).front() : "\n";
  const std::string sample = model.write_on(prompt, 400, {}, random.split());
  write_file_atomically(page, page_of(model, s, result, sample));

  if (s.json) {
    std::cout << nlohmann::ordered_json{{"peer", "gradual"},
                                        {"params", size},
                                        {"steps", s.steps},
                                        {"threads", thread_count()},
                                        {"training_seconds", result.seconds},
                                        {"step_ms", 1000 * result.seconds / static_cast<double>(s.steps)},
                                        {"gflop_per_step", result.gflop_a_step},
                                        {"train_loss", result.points.back().loss},
                                        {"validation_loss", result.validation_loss}}
                     .dump()
              << std::endl;
    return;
  }
  std::cout << "\ntrained in " << fixed_text(result.seconds, 1) << " s: " << s.steps << " steps of "
            << fixed_text(1000 * result.seconds / static_cast<double>(s.steps), 1) << " ms and "
            << fixed_text(result.gflop_a_step, 2) << " GFLOP\nvalidation loss "
            << fixed_text(result.validation_loss, 4)
            << " nats a character, over all of the validation part\n\n"
            << sample << "\n\nmodel   " << model_file << "\npage    " << page << "\n";
}
