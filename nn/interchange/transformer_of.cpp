#include <gradual/nn/interchange/transformer_of.hpp>

#include <stdexcept>
#include <typeinfo>

#include <gradual/core/error.hpp>

namespace gradual {

Transformer& transformer_of(const Translator& translator, const char* format) {
  TranslationModel& model = translator.model();
  if (typeid(model) != typeid(Transformer)) {
    const std::string kind = model.description().kind;
    throw std::invalid_argument(text(format, ": the model must be a transformer: this one is ",
                                     kind.empty() ? "of a kind without a name" : "\"" + kind + "\""));
  }
  for (const ChosenPart& part : chosen_parts(model))
    if (part.name.empty())
      throw std::invalid_argument(
          text(format, ": each part must be one that has a name: ", part.place, " was put in by hand"));
  return dynamic_cast<Transformer&>(model);
}

}  // namespace gradual
