#include <gradual/nn/translation/translation_models.hpp>

#include <typeinfo>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {
namespace {

template <class Model, class Config>
std::unique_ptr<TranslationModel> made(Config config, Index source_vocabulary, Index target_vocabulary,
                                       Random random) {
  config.source_vocabulary = source_vocabulary;
  config.target_vocabulary = target_vocabulary;
  return std::make_unique<Model>(config, random);
}

}  // namespace

Registry<MakeTranslationModel>& translation_models() {
  static Registry<MakeTranslationModel> all(
      "translation model: the kind", "translation_models().add",
      {{"transformer",
        [](const std::string& settings, Index source, Index target, Random random) {
          return made<Transformer>(transformer_config_from_json(settings), source, target, random);
        }},
       {"recurrent", [](const std::string& settings, Index source, Index target, Random random) {
          return made<RecurrentTranslator>(recurrent_config_from_json(settings), source, target, random);
        }}});
  return all;
}

std::unique_ptr<TranslationModel> make_model(const ModelConfig& config, Index source_vocabulary,
                                             Index target_vocabulary, Random random) {
  auto model =
      translation_models().at(config.kind)(config.settings, source_vocabulary, target_vocabulary, random);
  if (!model)
    throw std::invalid_argument("translation model: what a kind makes must be one: \"" + config.kind +
                                "\" makes none");
  return model;
}

void check_kind(const TranslationModel& model, const std::string& kind) {
  translation_models().at(kind);
  if ((kind == "transformer" && typeid(model) != typeid(Transformer)) ||
      (kind == "recurrent" && typeid(model) != typeid(RecurrentTranslator)))
    throw std::logic_error(
        "translation model: a class of one's own needs a description() of its own: it says that it is \"" +
        kind + "\"; add its kind with translation_models().add(name, …)");
}

}  // namespace gradual
