// What the experiments of examine() have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/doctor/doctor.hpp>

namespace gradual::experiments {

/// A finding without its experiment's name.
struct Answer {
  std::string evidence, cause = {}, advice = {}, chapter = {};
};

/// A patient under examination, with its first batch.
struct Case {
  const Patient& patient;
  TranslationBatch batch;

  bool has_sources() const { return patient.source_words > 0; }
  bool has_targets() const { return batch.input.size() > 0; }
  /// In evaluation, without gradients.
  double loss(const TranslationBatch& of) const;
};

/// One experiment: what it does, what the sound answer is and why stands above its function. Nothing where
/// there is nothing to do it on.
struct Experiment {
  const char* name;
  std::optional<Answer> (*make)(const Case&);
};

/// The experiments, by what they look at.
const std::vector<Experiment>& of_sentences();
const std::vector<Experiment>& of_data();
const std::vector<Experiment>& of_batches();
const std::vector<Experiment>& of_passes();
const std::vector<Experiment>& of_structure();
const std::vector<Experiment>& of_weights();
const std::vector<Experiment>& of_model();
const std::vector<Experiment>& of_output();
const std::vector<Experiment>& of_loss();
const std::vector<Experiment>& of_embeddings();
const std::vector<Experiment>& of_attention();
const std::vector<Experiment>& of_sight();
const std::vector<Experiment>& of_reading();
const std::vector<Experiment>& of_gradient();
const std::vector<Experiment>& of_steps();
const std::vector<Experiment>& of_updates();
const std::vector<Experiment>& of_steps_in_a_row();
const std::vector<Experiment>& of_training();

/// Whether an input of an operation is a parameter of the patient.
inline bool is_parameter_of(const Patient& patient, const Var& x) {
  return x.defined() && std::any_of(patient.parameters.begin(), patient.parameters.end(),
                                    [&](const NamedParameter& each) { return each.variable.is_same_as(x); });
}

/// Ids [B, T] by their places: `id(b, t)` for each.
template <class Id>
Indices ids_of(const Shape& shape, Id id) {
  std::vector<std::int32_t> ids;
  for (Index b = 0; b < shape[0]; ++b)
    for (Index t = 0; t < shape[1]; ++t) ids.push_back(static_cast<std::int32_t>(id(b, t)));
  return {shape, std::move(ids)};
}
/// The id at a place of [B, T].
inline std::int32_t id_at(const Indices& ids, Index b, Index t) { return ids[b * ids.dim(1) + t]; }

/// How many words the source of a sentence has.
inline Index length_of(const SourceBatch& source, Index b) {
  return source.lengths.size() > 0 ? Index{source.lengths[b]} : source.ids.dim(1);
}

/// A batch of which one place of each target counts alone.
inline TranslationBatch with_one_place(TranslationBatch batch, Index place) {
  batch.output = ids_of(batch.output.shape(), [&](Index b, Index t) {
    return t == place ? id_at(batch.output, b, t) : TranslationBatch::nothing;
  });
  return batch;
}

/// Whether two losses of the same words are one, but for rounding.
inline bool are_alike(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(a)); }

/// A batch with other words of the input in one place.
inline TranslationBatch with_other_input(const Case& of, TranslationBatch batch, Index place) {
  batch.input = ids_of(batch.input.shape(), [&](Index b, Index t) {
    const std::int32_t id = id_at(batch.input, b, t);
    return t == place ? (id + 1) % static_cast<std::int32_t>(of.patient.target_words) : id;
  });
  return batch;
}

/// The weights of all attention layers in the pass that makes the loss of the first batch.
std::vector<RecordedAttention> attention_of(const Case& of);

/// The sentences `rows` of a batch.
TranslationBatch rows_of(const TranslationBatch& batch, const std::vector<Index>& rows);

}  // namespace gradual::experiments
