// Patients made by hand, and what one experiment says of them.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/doctor/experiments/experiment.hpp>

#include "support/catch.hpp"

namespace gradual::experiments {

/// What the experiment of this name says; with a cause come advice and a chapter.
inline std::optional<Answer> asked(const std::vector<Experiment>& some, const std::string& name,
                                   const Patient& patient) {
  for (const Experiment& each : some)
    if (each.name == name) {
      const std::optional<Answer> answer = each.make({patient, patient.batch(0)});
      if (answer && !answer->cause.empty()) CHECK_FALSE((answer->advice.empty() || answer->chapter.empty()));
      return answer;
    }
  throw std::invalid_argument("there is no such experiment: " + name);
}

/// Rows of words, all of one length.
using Rows = std::vector<std::vector<std::int32_t>>;

inline Indices ids(const Rows& rows) {
  std::vector<std::int32_t> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  if (all.empty()) return {};
  return {{static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size())}, std::move(all)};
}
inline Indices labels(const std::vector<std::int32_t>& all) {
  return {{static_cast<Index>(all.size())}, all};
}
/// Of lengths there may be none.
inline TranslationBatch batch_of(const Rows& source, const std::vector<std::int32_t>& lengths,
                                 const Rows& input, const Rows& output) {
  return {{ids(source), lengths.empty() ? Indices() : labels(lengths)}, ids(input), ids(output)};
}

/// Its n-th batch is the n-th of these, again and again.
inline Patient patient_with(const std::vector<TranslationBatch>& batches, Index source_words,
                            Index target_words) {
  Patient patient;
  patient.source_words = source_words;
  patient.target_words = target_words;
  patient.batch = [batches](Index n) { return batches[static_cast<std::size_t>(n) % batches.size()]; };
  patient.loss = [](const TranslationBatch&) { return Var(Tensor::scalar(1)); };
  return patient;
}
/// One batch, and a loss that is no computation but a number of it.
inline Patient patient_of_loss(const TranslationBatch& batch, Index source_words, Index target_words,
                               const std::function<double(const TranslationBatch&)>& loss) {
  Patient patient = patient_with({batch}, source_words, target_words);
  patient.loss = [loss](const TranslationBatch& of) {
    return Var(Tensor::scalar(static_cast<Real>(loss(of))));
  };
  return patient;
}

}  // namespace gradual::experiments
