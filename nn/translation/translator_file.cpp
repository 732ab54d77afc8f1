// A translator as one file: the parameters as tensors, everything else as JSON in the metadata.
#include <gradual/nn/translation/translator.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/model_file.hpp>
#include <gradual/nn/text/language_json.hpp>
#include <gradual/nn/translation/translation_models.hpp>

namespace gradual {
namespace {

constexpr ModelFormat format{"translator", "gradual_translator", "3"};

void set_model(const Translator& translator, const TensorFile& file) {
  try {
    set_parameters(parameters(translator.model()), file.tensors);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(text("the model does not fit its settings or its vocabularies of ",
                                     translator.source().vocabulary.size(), " and ",
                                     translator.target().vocabulary.size(), " tokens: ", error.what()));
  }
}

}  // namespace

void Translator::save(const std::string& path) const {
  const ModelConfig config = model_->description();
  if (config.kind.empty())
    throw std::logic_error("translator: only a model that has a description() can be saved");
  const Json settings = json_of(config.settings);
  if (settings.is_discarded())
    throw std::logic_error("translator: the settings of a description() must be JSON: those of \"" +
                           config.kind + "\" are not");
  check_kind(*model_, config.kind);  // which a program must have added to read the file again
  check_parts("translator", parts_, chosen_parts(*model_));
  const ParameterShapes shapes = shapes_of(parameters(*model_));
  if (shapes != shapes_) {  // made outside, or changed since, which its description may say
    const auto described =
        make_model(config, source_.vocabulary.size(), target_.vocabulary.size(), Random(0));
    check_shapes("translator", shapes_of(parameters(*described)), shapes);
  }
  const Json description = {{"kind", config.kind},
                            {"model", settings},
                            {"source", json_of(language_to_json(source_))},
                            {"target", json_of(language_to_json(target_))}};
  save_model(path, format, {{"description", json_text(description)}, {"notes", notes_}}, parameters(*model_));
}

Translator Translator::load(const std::string& path) {
  return load_model(path, format, [](const TensorFile& file) {
    const nlohmann::json description = read_json(metadata_of(file, "description"));
    Translator translator({description.at("kind"), json_text(description.at("model"))},
                          language_from_json(json_text(description.at("source"))),
                          language_from_json(json_text(description.at("target"))), Random(0));
    set_model(translator, file);
    translator.notes_ = metadata_of(file, "notes");
    return translator;
  });
}

}  // namespace gradual
