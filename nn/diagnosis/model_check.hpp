// All checks of a model in one: leaks, dead paths, the first number that is none, and the shapes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/diagnosis/dead_paths.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/diagnosis/shapes.hpp>

namespace gradual {

/// What the checks of a model found.
struct ModelCheck {
  std::vector<Leak> leaks;
  std::vector<DeadPath> dead_paths;
  std::string anomaly;  ///< what AnomalyDetection says of a loss and its gradient; empty: nothing
  std::vector<TracedBlock> shapes;

  /// Whether nothing was found.
  bool is_sound() const { return leaks.empty() && dead_paths.empty() && anomaly.empty(); }
  /// Everything as lines of text, the shapes first.
  std::string text() const;
};

/// Checks a model: leaks by random words, dead paths and numbers by one loss and its gradient. Nothing of the
/// model changes. In the shapes, `sizes` says what to call those that the model is made of: ones that are
/// equal share a name, such as `D/H`; B, S and T are the sentences, and the places of sources and targets.
ModelCheck check_model(const std::vector<NamedParameter>& parameters, const LeakSubject& subject,
                       const std::function<Var()>& loss, const SizeLetters& sizes);
/// The same of a translation model and a batch; the sizes are those of its configuration, where the library
/// knows the model.
ModelCheck check_model(TranslationModel& model, const TranslationBatch& batch, Index source_vocabulary,
                       Index target_vocabulary);

}  // namespace gradual
