// language_model: a transformer that learns to write, character by character.
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/interchange/gpt2.hpp>
#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/language/continuation.hpp>

#include "train.hpp"

using namespace gradual;

namespace {

struct SampleSettings {
  std::string model = "out/language_model/model.safetensors", prompt = "\n";
  SamplingOptions sampling;
  Index length = 500, samples = 1;
  std::uint64_t seed = 1;
};

void add_sample_options(const Options& add, SampleSettings& s) {
  add.file("model", s.model, "a trained model, or the folder of a GPT-2");
  add("prompt", s.prompt, "what it goes on from; without it, a new line")->default_str("");
  add("temperature", s.sampling.temperature, "below 1 the likely gets likelier");
  add("top-k", s.sampling.top_k, "only so many of the likeliest characters; 0: all");
  add("top-p", s.sampling.top_p, "of these only the fewest that reach this probability");
  add.not_negative("length", s.length, "characters to write; tokens of a GPT-2");
  add.positive("samples", s.samples, "how often");
  add.not_negative("seed", s.seed, "another seed writes something else");
}

// What goes on from a prompt by a model of ours, or by a GPT-2 where `path` is a folder.
std::function<std::string(Random random)> writer(const SampleSettings& s) {
  if (std::filesystem::is_directory(s.model)) {
    const auto gpt2 = std::make_shared<Gpt2>(read_gpt2(s.model));
    const std::vector<std::int32_t> prompt = gpt2->text.encode(s.prompt.empty() ? "\n" : s.prompt);
    return [=](Random random) {
      const EvaluationScope evaluation;
      return gpt2->text.decode(continuation(*gpt2->model, prompt, s.length, s.sampling, random));
    };
  }
  const auto model = std::make_shared<CharacterModel>(CharacterModel::load(s.model));
  return [=](Random random) { return model->write_on(s.prompt, s.length, s.sampling, random); };
}

void write_samples(const SampleSettings& s) {
  const auto write_on = writer(s);
  Random random(s.seed);
  for (Index i = 0; i < s.samples; ++i) {
    const std::string written = write_on(random.split());
    std::cout << (i > 0 ? "\n---\n" : "") << s.prompt << written << std::endl;
  }
}

// What follows --preset: it decides the defaults of the other options.
std::string preset_of(const std::vector<std::string>& arguments) {
  std::string preset = "toy";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--preset" && i + 1 < arguments.size()) preset = arguments[i + 1];
    if (arguments[i].rfind("--preset=", 0) == 0) preset = arguments[i].substr(9);
  }
  return preset;
}

}  // namespace

int main(int argc, char** argv) {
  TrainSettings train = preset_settings(preset_of({argv + 1, argv + argc}));
  SampleSettings sample;
  PageProgram program(
      "language_model",
      "Trains a transformer to write text character by character, and writes with it. Without a "
      "file it learns generated sentences.",
      train);
  add_train_options(program.options, train);
  CLI::App& writing = program.command("sample", "write with a trained model");
  add_sample_options(Options(writing), sample);
  return program.run(argc, argv, "decides the first weights, the windows, and what is written", [&] {
    train.schedule.total = train.steps;
    writing ? write_samples(sample) : run_training(train);
  });
}
