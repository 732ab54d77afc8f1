// One task, one budget, several ways to attend.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/inspect/alignment_match.hpp>
#include <gradual/nn/translation/evaluation.hpp>

/// What all contestants have in common.
struct ContestSettings {
  gradual::Index steps = 400, batch_tokens = 1024, test_sentences = 300;
  gradual::Index width = 64, heads = 4, layers = 1, window = 2;
  double learning_rate = 0.004;
  std::uint64_t seed = 1;
  bool quiet = false;
};

/// The embedded corpus of English and French sentences.
struct Task {
  std::vector<gradual::SentencePair> train;
  std::vector<gradual::AlignedPair> test;  // none of them in train
};
Task make_task(const ContestSettings& settings);

/// What became of one way to attend.
struct Outcome {
  std::string name;
  gradual::Index parameters = 0;
  double cpu_seconds = 0;                    // of training, all threads together
  double exact = 0, bleu = 0;                // of greedy translations; exact in per cent
  std::vector<gradual::Judged> judged = {};  // what it makes of every test sentence
  bool attends = false;                      // without maps there is nothing to compare
  bool prefers = false;                      // some word to another: else none has the most weight
  gradual::AlignmentMatch match = {};        // of the mean of all heads
  gradual::AlignmentMatch best = {};         // of the head that does best
  // The share of words that give more than 95 % of their weight to one word of the source, before training
  // and after so many steps.
  double sure_before = 0, sure_early = 0;
  gradual::Index early = 0;
  std::vector<gradual::AttentionMap> maps = {};  // of the first test sentences: the best head
};

/// How many ways to attend there are.
std::size_t number_of_ways(const ContestSettings& settings);

/// Trains every contestant from the same seed on the same batches and tests it; `begin` is called once the
/// settings have proved good, and `done` hears of each result.
void hold_contest(const Task& task, const ContestSettings& settings, const std::function<void()>& begin,
                  const std::function<void(const Outcome&)>& done);
