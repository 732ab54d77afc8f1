// A trained classifier of texts: text in, label out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/transformer/classifier.hpp>

namespace gradual {

/// A classifier with what its texts need, and the labels that its classes stand for.
class TextClassifier {
 public:
  /// A new model; the configuration's vocabulary size is that of the language. Throws std::invalid_argument
  /// for a bad configuration, for fewer than two labels and for one that stands twice.
  TextClassifier(const StackConfig& config, Language language, std::vector<std::string> labels, Random random,
                 Pooling pooling = Pooling::attention);

  /// Reads what save() wrote. Throws FileError for a file that is not a text classifier or is damaged, and,
  /// with the name that is missing, for a model of parts that the program has not added.
  static TextClassifier load(const std::string& path);
  /// Writes everything to one file in the safetensors format, wholly or not at all. Throws FileError, and
  /// std::logic_error for a model with a part that was put in by hand.
  void save(const std::string& path) const;

  /// The mean cross-entropy of texts whose labels are labels()[numbers[i]]. Throws std::invalid_argument
  /// unless each text has a number and each number a label, and where there is no text.
  Var loss(const std::vector<std::string>& texts, const std::vector<std::int32_t>& numbers,
           const CrossEntropyOptions& options = {}) const;
  /// How likely the model holds each label to be, in the order of labels(), for each text. Nothing is
  /// dropped, whether the model is in training or not, and it stays so.
  std::vector<std::vector<double>> probabilities(const std::vector<std::string>& texts) const;
  /// The likeliest label of each text.
  std::vector<std::string> classify(const std::vector<std::string>& texts) const;

  /// The model, such as for its parameters.
  Classifier& model() const { return *model_; }
  /// How its texts become numbers.
  const Language& language() const { return language_; }
  /// The names of the classes.
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  Var scores_of(const std::vector<std::string>& texts) const;  // [texts, labels]

  Language language_;
  std::vector<std::string> labels_;
  Pooling pooling_;
  std::unique_ptr<Classifier> model_;
  std::vector<ChosenPart> parts_;  // that the model was made with
  ParameterShapes shapes_;
};

}  // namespace gradual
