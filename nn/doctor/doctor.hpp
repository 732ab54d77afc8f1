// Why a model does not learn: experiments in causal order, each with an answer that is known in advance.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// A model before its first step, with its data and its training, as examine() sees them. Batches are those
/// of a translation: a language model has no source, and a classifier no input; its output are labels [B].
struct Patient {
  std::vector<NamedParameter> parameters;
  std::vector<Mode*> modes;
  std::vector<ChosenPart> parts;  ///< whose names say what was meant
  Index source_words = 0;         ///< 0: there are no sources
  Index target_words = 0;         ///< the words of targets, or the classes, that the loss chooses between
  Index max_length = 0;           ///< tokens of a sentence that the model takes; 0: any number

  /// The n-th batch of a run.
  std::function<TranslationBatch(Index n)> batch;
  /// The mean cross-entropy of a batch over its words, as it is: without smoothing.
  std::function<Var(const TranslationBatch& batch)> loss;
  /// Makes a step of training with a loss, at a rate.
  using Step = std::function<void(const std::function<Var()>& loss, double rate)>;
  /// Begins training anew: with an optimizer that knows nothing yet. Without one, examine() takes Adam.
  std::function<Step()> begin;
  /// The rate of a step, counted from 1. Without one, nothing is said of rates.
  std::function<double(Index step)> rate;
  Index steps = 5000;  ///< of a run: later ones have no rate
  Index batches = 0;   ///< that differ, before the first comes again; 0: it is not known how many
};

/// The patient that a model is; its data and its training come by hand.
Patient translation_patient(TranslationModel& model, Index source_words, Index target_words);
Patient language_patient(LanguageModel& model);
Patient classifier_patient(Classifier& model, Index classes);
/// A model of one's own: what it needs to know is its parameters and its loss.
template <class Model>
Patient patient_of(Model& model, std::function<Var(const TranslationBatch&)> loss) {
  Visitor visitor;
  model.visit(visitor);
  Patient patient;
  patient.parameters = visitor.parameters();
  patient.modes = visitor.modes();
  patient.parts = visitor.parts();
  patient.loss = std::move(loss);
  return patient;
}

/// What an experiment found: nothing but its numbers, or why the model does not learn.
struct Finding {
  std::string experiment;  ///< its name, such as "two evaluations are equal"
  std::string evidence;    ///< the numbers
  std::string cause;       ///< in words; empty: the answer is the sound one
  std::string advice;      ///< what to try
  std::string chapter;     ///< where it is told of, such as "chapter 5"
};

/// What examine() found, experiment by experiment; the last one is the first with a cause.
struct Diagnosis {
  std::vector<Finding> findings;

  bool is_sound() const { return findings.empty() || findings.back().cause.empty(); }
  /// The first cause. Throws std::logic_error where there is none.
  const Finding& cause() const;
  /// A line for each experiment, and the cause with its evidence, what to try, and the chapter.
  std::string text() const;
};

/// Makes experiments in causal order, data before model, and model before training, until one has another
/// answer than a sound model gives: what goes wrong first makes what comes after it wrong, too. The
/// parameters and their gradients are afterwards as they were before.
///
/// Throws std::invalid_argument where there are no parameters, no words to choose between, or no batch or
/// loss, and what these throw.
Diagnosis examine(const Patient& patient);

/// The experiments as a picture, an SVG: ✓ and ✗ with the numbers, and what was not asked any more.
std::string draw_diagnosis(const Diagnosis& diagnosis);

/// The experiments by their names, in the order in which examine() makes them.
std::vector<std::string> experiment_names();

}  // namespace gradual
