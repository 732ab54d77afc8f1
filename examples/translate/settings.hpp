// What can be set for training, on the command line, in a config file and by presets: one list for all three.
#pragma once

#include <string>

#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/run/settings.hpp>

namespace CLI {
class App;
}

struct TrainSettings : gradual::RunSettings {
  std::string preset = "toy", budget;
  std::string others;  // as they are typed: options that settings.conf has not, to go on with
  gradual::Index steps = 0;
  int threads = 0;
  bool profile = false, check = false, doctor = false, json = false;
};

/// The options of `translate train`, and how what they set becomes the library's values.
class TrainOptions {
 public:
  explicit TrainOptions(CLI::App& command);
  /// What was set, after parsing. Throws CLI::ValidationError, and std::invalid_argument for a text that no
  /// setting can be.
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
/// --mbr, which is returned, --mbr-utility and --mbr-temperature; --shortlist must be there.
CLI::Option* add_minimum_risk_options(CLI::App& command, gradual::MinimumRiskOptions& minimum_risk);
/// --bleu and --bleu-lower-case, and where these count if not everywhere.
void add_bleu_options(CLI::App& command, gradual::BleuOptions& bleu, const std::string& where = "");
