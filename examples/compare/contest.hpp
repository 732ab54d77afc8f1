// One task, one budget, several ways to attend.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/inspect/alignment_match.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

/// What all contestants have in common.
struct ContestSettings {
  gradual::Index steps = 400, batch_tokens = 1024, test_sentences = 300;
  gradual::Index width = 64, heads = 4, layers = 1, window = 2;
  double learning_rate = 0.004;
  std::uint64_t seed = 1;
};

/// A sentence pair in all the forms that are needed of it.
struct TestPair {
  std::vector<std::string> source, target;  // words
  gradual::EncodedPair ids;
  gradual::Alignment alignment;
};

/// The embedded corpus of English and French sentences, in words.
struct Task {
  gradual::Vocabulary source, target;
  std::vector<gradual::EncodedPair> train;
  std::vector<TestPair> test;  // none of them in train
};
Task make_task(const ContestSettings& settings);

/// What became of one way to attend.
struct Outcome {
  std::string name, description;
  gradual::Index parameters = 0;
  double cpu_seconds = 0;                   // of training, all threads together
  double exact = 0, bleu = 0;               // of greedy translations; exact in per cent
  bool attends = false;                     // without maps there is nothing to compare
  gradual::AlignmentMatch match;            // of the mean of all heads
  gradual::AlignmentMatch best;             // of the head that does best
  std::vector<gradual::AttentionMap> maps;  // of the first test sentences: the best head
};

/// Trains every contestant from the same seed on the same batches and tests it; `done` hears of each result.
std::vector<Outcome> hold_contest(const Task& task, const ContestSettings& settings,
                                  const std::function<void(const Outcome&)>& done);
