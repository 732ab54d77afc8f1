// Runs of training on some reversed words, with a folder of their own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gradual/core/files/config_lines.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/run/training_run.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

namespace gradual {

inline const std::string letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

// Sentences of three words, and the same backwards.
inline std::string reversed_words() {
  std::string text;
  for (std::size_t i = 0; i < letters.size(); i += 2)
    for (std::size_t j = 0; j < 8; j += 2) {
      const std::string a(1, letters[i]), b(1, letters[j]);
      text += a + " " + b + " " + a + a + "\t" + a + a + " " + b + " " + a + "\n";
    }
  return text;
}

struct Runs {
  TestFolder folder;
  Communicator communicator;
  Team team{communicator};
  std::vector<std::string> warnings;

  RunSettings settings(const std::string& out, Index steps = 8) const {
    RunSettings s;
    s.tsv = folder.write("pairs", reversed_words());
    s.validation = 5;
    TransformerConfig model;
    model.width = 8;
    model.heads = 2;
    model.feed_forward = 8;
    model.encoder_layers = model.decoder_layers = 1;
    s.model = model;
    s.batch_tokens = 64;
    s.schedule.peak = 0.01;
    s.schedule.warmup = 2;
    s.schedule.total = steps;
    s.validate_every = 4;
    s.snapshot_every = 2;
    s.checkpoint_every = 3;
    s.out = folder / out;
    s.used = config_line("steps", std::to_string(steps)) + config_line("seed", "1");
    return s;
  }

  // The parameters that a run leaves which is interrupted before a step.
  NamedTensors train(const RunSettings& s, Index end = 1000, const EarlierRun* origin = nullptr) {
    const Corpora corpora = load_corpora(s);
    TrainingRun run(s, corpora, team, origin, "train",
                    [this](const std::string& w) { warnings.push_back(w); });
    Index called = 0;
    const bool finished = run.make_steps([&] { return run.trainer().steps_done() >= end; },
                                         [&](const TrainingStep&) { ++called; });
    CHECK(called == run.steps_made());
    CHECK(finished == (end >= s.schedule.total));
    run.save_what_was_made();
    if (finished) run.choose_final_model();
    return values_of(parameters(Translator::load(run.folder().model()).model()));
  }

  // Settings of a run that goes on from another after a step.
  RunSettings fork_of(RunSettings s, Index step, const std::string& out) const {
    s.fork = s.out;
    s.at_step = step;
    s.out = folder / out;
    return s;
  }
  NamedTensors train_fork(const RunSettings& s, const RunSettings& of, Index end = 1000) {
    const EarlierRun origin(of.out, of, team);
    return train(s, end, &origin);
  }
  std::string refusal(const RunSettings& s, const RunSettings& of) {
    const std::string problem = message_of<std::invalid_argument>([&] { train_fork(s, of); });
    CHECK_FALSE(std::filesystem::exists(s.out));
    return problem;
  }

  static bool same(const NamedTensors& a, const NamedTensors& b) {
    const auto by_name = [](const NamedTensors& tensors) {
      std::map<std::string, std::vector<Real>> numbers;
      for (const auto& [name, tensor] : tensors) numbers[name] = tensor.to_vector();
      return numbers;
    };
    return by_name(a) == by_name(b);
  }
};

}  // namespace gradual
