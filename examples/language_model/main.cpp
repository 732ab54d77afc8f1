// language_model: a transformer that learns to write, character by character.
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <gradual/core/random.hpp>
#include <gradual/nn/language/character_model.hpp>

#include "../command_line.hpp"
#include "train.hpp"

using namespace gradual;

namespace {

struct SampleSettings {
  std::string model = "out/language_model/model.safetensors", prompt = "\n";
  SamplingOptions sampling;
  Index length = 500, samples = 1;
  std::uint64_t seed = 1;
};

void add_sample_options(CLI::App& command, SampleSettings& s) {
  command.add_option("--model", s.model, "a trained model")->capture_default_str();
  command.add_option("--prompt", s.prompt, "what it goes on from; without it, a new line");
  command.add_option("--temperature", s.sampling.temperature, "below 1 the likely gets likelier")
      ->capture_default_str();
  command.add_option("--top-k", s.sampling.top_k, "only so many of the likeliest characters; 0: all")
      ->capture_default_str();
  command.add_option("--top-p", s.sampling.top_p, "of these only the fewest that reach this probability")
      ->capture_default_str();
  command.add_option("--length", s.length, "characters to write")
      ->transform(not_below_zero(s.length))
      ->capture_default_str();
  command.add_option("--samples", s.samples, "how often")
      ->transform(above_zero(s.samples))
      ->capture_default_str();
  add_seed(command, s.seed, "another seed writes something else");
}

void write_samples(const SampleSettings& s) {
  const CharacterModel model = CharacterModel::load(s.model);
  Random random(s.seed);
  for (Index i = 0; i < s.samples; ++i) {
    const std::string written = model.write_on(s.prompt, s.length, s.sampling, random.split());
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
  CLI::App app{
      "Trains a transformer to write text character by character, and writes with it. Without a "
      "file it learns generated sentences."};
  return run_program("language_model", app, [&] {
    TrainSettings train = preset_settings(preset_of({argv + 1, argv + argc}));
    SampleSettings sample;
    add_train_options(app, train);
    CLI::App* writing = app.add_subcommand("sample", "write with a trained model");
    add_sample_options(*writing, sample);
    app.parse(argc, argv);
    if (*writing) {
      write_samples(sample);
    } else {
      finish_settings(train);
      run_training(train);
    }
  });
}
