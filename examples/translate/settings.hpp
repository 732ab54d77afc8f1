// What can be set for training, on the command line, in a config file and by presets: one list for all three.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/config.hpp>

namespace CLI {
class App;
}

struct TrainSettings {
  std::string preset = "toy";
  // Text: the embedded corpus unless a file is named.
  std::string tsv, source_file, target_file;
  gradual::Index max_words = 0, held_out = 1000, min_count = 1, max_vocabulary = 20000;
  bool lower_case = false;
  // Model
  gradual::TransformerConfig model;
  std::string norm = "before", positions = "sinusoidal", activation = "relu";
  // Training
  gradual::Index steps = 0, batch_tokens = 0, checkpoint_every = 500;
  gradual::Schedule schedule;
  std::string decay = "inverse-square-root";
  double label_smoothing = 0.1, clip = 1.0, weight_decay = 0;
  int threads = 0;
  std::uint64_t seed = 1;
  // Result
  std::string out = "out/toy";
  bool resume = false, json = false;
};

/// Adds the options of `translate train`. What they set counts only after finish_settings().
void add_train_options(CLI::App& command, TrainSettings& settings);
/// Turns the words of the command line into the library's values; throws std::invalid_argument.
void finish_settings(TrainSettings& settings);

/// The arguments of `command` with those of its preset and its config file put in front, so that the config
/// file overrides the preset and the command line overrides both. Throws gradual::FileError with the line for
/// a key that is not an option, std::invalid_argument for an unknown preset.
std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments);
