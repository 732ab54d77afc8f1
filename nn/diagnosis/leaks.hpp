// What a model sees that it must not: later words, padding, the other sentences of its batch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// Something that changed a result which it must not reach.
struct Leak {
  enum class Kind {
    chance,           ///< nothing: the same batch gave two results
    later_words,      ///< words of the target behind the place
    padding,          ///< what stands behind the end of a source
    other_sentences,  ///< other sentences of the batch
  };
  Kind kind;              ///< what is seen that should not be
  Index sentence, place;  ///< the first that changed, counted from 0; place -1: a result for a whole sentence
  double size;            ///< the largest change of all
  std::string operation;  ///< where it first shows, on the way to the result
  Shape shape;            ///< of that operation's result
  std::string layer;      ///< in which it is, by its parameters or those used last
  std::string text;       ///< all that in a sentence
};

/// A model as the leak check sees it: what it computes of sources [B, S], of which the first `lengths` tokens
/// count, and of targets [B, T].
struct LeakSubject {
  Index source_vocabulary = 0;  ///< 0: there are no sources
  Index target_vocabulary = 0;  ///< 0: there are no targets, and the result is one for each sentence
  Index max_length = 0;         ///< tokens of a sentence that it takes; 0: any number
  /// A result [B, …] for sentences, or [B, T, …] for the places of targets. It may also be computed of such
  /// ones, as a loss is: the last of that shape are compared.
  std::function<Var(const SourceBatch& source, const Indices& target)> compute;
};

/// Computes the same batch three times, in evaluation mode and without gradients: as it is; with every suffix
/// of a target, and whole other sentences, replaced; with the padding replaced. What must not change must not
/// change by a bit, so there is no threshold. Where something did, one or two more passes tell the causes
/// apart, and the trace says at which operation it came in.
///
/// Throws std::invalid_argument for vocabularies of less than two words and a max_length below 4, and
/// std::logic_error where the model has no result of a shape that can be compared.
std::vector<Leak> find_leaks(const LeakSubject& subject, std::uint64_t seed = 1);

/// The places of a model's loss: what goes into its last operation.
LeakSubject leak_subject(const TranslationModel& model, Index source_vocabulary, Index target_vocabulary);
LeakSubject leak_subject(const LanguageModel& model);
LeakSubject leak_subject(const Classifier& model);

}  // namespace gradual
