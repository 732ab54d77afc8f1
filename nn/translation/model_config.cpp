#include <gradual/nn/translation/model_config.hpp>

namespace gradual {

std::unique_ptr<TranslationModel> make_model(const ModelConfig& config, Random random) {
  if (const auto* recurrent = std::get_if<RecurrentConfig>(&config))
    return std::make_unique<RecurrentTranslator>(*recurrent, random);
  return std::make_unique<Transformer>(std::get<TransformerConfig>(config), random);
}

}  // namespace gradual
