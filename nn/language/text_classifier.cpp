#include <gradual/nn/language/text_classifier.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/model_file.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/language_json.hpp>
#include <gradual/nn/transformer/config_json.hpp>

namespace gradual {
namespace {

constexpr ModelFormat classifier_format{"text classifier", "gradual_text_classifier", "1"};

StackConfig for_language(StackConfig config, const Language& language) {
  config.vocabulary = language.vocabulary.size();
  return config;
}

std::vector<std::string> distinct(std::vector<std::string> labels) {
  std::set<std::string> seen;
  for (const std::string& label : labels)
    if (!seen.insert(label).second)
      throw std::invalid_argument(
          text("text classifier: each label must stand once: got \"", label, "\" twice"));
  return labels;
}

}  // namespace

TextClassifier::TextClassifier(const StackConfig& config, Language language, std::vector<std::string> labels,
                               Random random, Pooling pooling)
    : language_(std::move(language)),
      labels_(distinct(std::move(labels))),
      pooling_(pooling),
      model_(std::make_unique<Classifier>(for_language(config, language_), static_cast<Index>(labels_.size()),
                                          pooling, random)),
      parts_(chosen_parts(*model_)),
      shapes_(shapes_of(parameters(*model_))) {}

Var TextClassifier::scores_of(const std::vector<std::string>& texts) const {
  std::vector<std::vector<std::int32_t>> ids;
  for (const std::string& each : texts) ids.push_back(language_.encode(each));
  const SourceBatch batch = make_source_batch(ids);
  return model_->logits(batch.ids, batch.lengths);
}

Var TextClassifier::loss(const std::vector<std::string>& texts, const std::vector<std::int32_t>& numbers,
                         const CrossEntropyOptions& options) const {
  const auto is_label = [&](std::int32_t number) {
    return number >= 0 && static_cast<std::size_t>(number) < labels_.size();
  };
  if (texts.empty() || numbers.size() != texts.size() ||
      !std::all_of(numbers.begin(), numbers.end(), is_label))
    throw std::invalid_argument(text("text classifier: there must be texts, each with the number of one of ",
                                     labels_.size(), " labels: texts are ", texts.size(), ", numbers ",
                                     numbers.size()));
  return cross_entropy(scores_of(texts), Indices({static_cast<Index>(numbers.size())}, numbers), options);
}

std::vector<std::vector<double>> TextClassifier::probabilities(const std::vector<std::string>& texts) const {
  std::vector<std::vector<double>> result;
  if (texts.empty()) return result;
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  const Tensor shares = softmax(scores_of(texts)).value();
  for (Index row = 0; row < shares.dim(0); ++row) {
    const Tensor of_text = shares[row];
    result.emplace_back(of_text.begin(), of_text.end());
  }
  return result;
}

std::vector<std::string> TextClassifier::classify(const std::vector<std::string>& texts) const {
  std::vector<std::string> likeliest;
  for (const std::vector<double>& of_text : probabilities(texts))
    likeliest.push_back(labels_[static_cast<std::size_t>(std::max_element(of_text.begin(), of_text.end()) -
                                                         of_text.begin())]);
  return likeliest;
}

void TextClassifier::save(const std::string& path) const {
  check_parts("text classifier", parts_, chosen_parts(*model_));
  check_shapes("text classifier", shapes_, shapes_of(parameters(*model_)));
  save_model(path, classifier_format,
             {{"model", config_to_json(model_->config())},
              {"pooling", poolings().name(pooling_)},
              {"language", language_to_json(language_)},
              {"labels", json_text(Json(labels_))}},
             parameters(*model_));
}

TextClassifier TextClassifier::load(const std::string& path) {
  return load_model(path, classifier_format, [](const TensorFile& file) {
    const nlohmann::json labels = read_json(metadata_of(file, "labels"));
    TextClassifier loaded(
        stack_config_from_json(metadata_of(file, "model")), language_from_json(metadata_of(file, "language")),
        labels.get<std::vector<std::string>>(), Random(0), poolings().value(metadata_of(file, "pooling")));
    set_parameters(parameters(*loaded.model_), file.tensors);
    return loaded;
  });
}

}  // namespace gradual
