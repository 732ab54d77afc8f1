// Training on some documents, and testing on others.
#pragma once

#include <string>
#include <vector>

#include "committee.hpp"

/// The percentages of documents whose label was found: by attention, by n-grams, by both together, and by
/// attention that is not told the places of words, where that was tried.
struct Accuracies {
  double attention = 0, ngrams = 0, both = 0, without_places = 0;
};

/// What training took: the parameters of all models, and the CPU time of all threads.
struct Cost {
  gradual::Index parameters = 0;
  double seconds = 0;
};

/// What came of it.
struct Trial {
  DocumentSplit documents;
  std::vector<std::string> labels;                   // known from training, in byte order
  std::vector<Verdict> verdicts;                     // of both together, on the documents that were held out
  std::vector<std::string> by_attention, by_ngrams;  // what each would say alone
  std::vector<double> attention_sure, ngrams_sure;   // how likely it finds what it says
  std::vector<std::string> without_places;           // what attention says then; empty where not tried
  std::vector<double> without_places_sure;
  std::vector<std::vector<double>> without_places_weights;  // how much each word was listened to then
  Accuracies right;
  Cost attention_cost, ngram_cost, without_places_cost;
  double cpu_seconds() const { return attention_cost.seconds + ngram_cost.seconds; }

  /// The likeliest label of the i-th document that was held out.
  const std::string& label(std::size_t i) const;
};

/// Trains a committee and an n-gram classifier, and lets them answer together: the mean of their
/// probabilities. They err on different documents. With `watch_without_places`, another committee that is not
/// told the places of words learns and answers, too.
Trial try_out(DocumentSplit documents, const ModelSizes& sizes, const TrainingOptions& options,
              const Watch& watch, const Watch& watch_without_places = {});
