// What can be set for training, on the command line, in a config file and by presets: one list for all three.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/evaluation.hpp>

namespace CLI {
class App;
}

struct TrainSettings {
  std::string preset = "toy", budget;
  // Text: the embedded corpus unless a file is named.
  std::string tsv, source_file, target_file, test_source_file, test_target_file;
  gradual::Index max_words = 0, held_out = 0, validation = 0;
  gradual::LanguageOptions language;
  bool joint = false;
  double subword_sampling = 0;
  // Model
  gradual::ModelConfig model;
  // Training
  gradual::Index steps = 0, batch_tokens = 0, accumulate = 1, checkpoint_every = 500;
  gradual::Schedule schedule;
  double label_smoothing = 0.1, r_drop = 0, clip = 1.0, weight_decay = 0, ema = 0;
  gradual::Index validate_every = 500, patience = 0, plateau = 0;
  std::string watch = "loss", optimizer = "adam";
  double muon_scale = gradual::MuonOptions().scale;
  gradual::Index average = 0, snapshot_every = 0;
  int threads = 0;
  std::uint64_t seed = 1;
  gradual::TestSettings test;
  // Result
  std::string out = "out/toy";
  bool resume = false, profile = false, check = false, doctor = false, json = false;
  // Time travel
  std::string fork;            // the folder of a run to go on from
  gradual::Index at_step = 0;  // after this step of it
  double history = 50;         // megabytes for snapshots
  gradual::Index trace = 0;    // steps whose tensors are written down

  std::string used;  // all that decides the numbers of a run, as lines of a config file
};

/// The options of `translate train`, and how what they set becomes the library's values.
class TrainOptions {
 public:
  explicit TrainOptions(CLI::App& command);
  /// What was set, after parsing. Throws std::invalid_argument.
  TrainSettings settings() const;

 private:
  CLI::App& command_;
  TrainSettings given_;
  std::string model_ = "transformer", attention_, units_ = "words", subword_kind_ = "bpe", norm_ = "before",
              decay_ = "inverse-square-root";
  gradual::Index max_vocabulary_ = 20000;
  gradual::TransformerConfig transformer_;
};

/// The options of every subcommand that translates: --beam, --length-penalty, --coverage-penalty.
void add_search_options(CLI::App& command, gradual::BeamOptions& search);
/// --mbr, --mbr-utility and --mbr-temperature.
void add_minimum_risk_options(CLI::App& command, gradual::MinimumRiskOptions& minimum_risk);
/// --bleu and --bleu-lower-case.
void add_bleu_options(CLI::App& command, gradual::BleuOptions& bleu);
