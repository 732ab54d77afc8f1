#include <gradual/nn/diagnosis/model_check.hpp>

#include <algorithm>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/leak_batch.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {
namespace {

// Sizes that are equal have one name, and those below 2 none. One that is a few times another says so: where
// it stands, either may be meant.
SizeLetters joined(const SizeLetters& sizes) {
  SizeLetters result;
  for (const auto& [letter, size] : sizes) {
    const auto same = std::find_if(result.begin(), result.end(),
                                   [wanted = size](const auto& each) { return each.second == wanted; });
    if (same != result.end())
      same->first += "/" + letter;
    else if (size >= 2)
      result.emplace_back(letter, size);
  }
  for (auto& [letter, size] : result)
    for (const auto& [other, part] : sizes)
      if (part >= 2 && size % part == 0 && size / part >= 2 && size / part <= 4)
        letter += gradual::text("=", size / part, "·", other);
  return result;
}

std::vector<TracedBlock> shapes_of(const LeakSubject& subject, const SizeLetters& sizes) {
  const leak_batch::Batch batch = leak_batch::random_batch(subject, 13, Random(1));
  const EvaluationScope evaluation;
  Trace trace;
  subject.compute(batch.source_batch(), batch.target_batch());
  SizeLetters letters{{"B", batch.size()}, {"S", batch.sources}, {"T", batch.targets}};
  letters.insert(letters.end(), sizes.begin(), sizes.end());
  return shape_trace(trace.operations(), joined(letters));
}

SizeLetters sizes_of(const TranslationModel& model, Index source_vocabulary, Index target_vocabulary) {
  SizeLetters sizes;
  if (const auto* transformer = dynamic_cast<const Transformer*>(&model))
    sizes = {{"D", transformer->config().width}, {"F", transformer->config().feed_forward}};
  if (const auto* recurrent = dynamic_cast<const RecurrentTranslator*>(&model))
    sizes = {{"E", recurrent->config().embedding_width}, {"H", recurrent->config().hidden_width}};
  sizes.emplace_back("source words", source_vocabulary);
  sizes.emplace_back("target words", target_vocabulary);
  return sizes;
}

}  // namespace

std::string ModelCheck::text() const {
  std::string result = shape_text(shapes) + "\n";
  result += leaks.empty() ? "no leaks: nothing sees later words, padding or other sentences\n" : "leaks\n";
  for (const Leak& each : leaks) result += "  " + each.text + "\n";
  result += dead_paths.empty() ? "no dead paths: every parameter has a gradient\n" : "dead paths\n";
  for (const DeadPath& each : dead_paths) result += "  " + each.text + "\n";
  return result + (anomaly.empty() ? "no anomaly: all numbers are finite, forward and backward\n"
                                   : "anomaly\n  " + anomaly + "\n");
}

ModelCheck check_model(const std::vector<NamedParameter>& parameters, const LeakSubject& subject,
                       const std::function<Var()>& loss, const SizeLetters& sizes) {
  ModelCheck check;
  check.shapes = shapes_of(subject, sizes);
  check.leaks = find_leaks(subject);
  const EvaluationScope evaluation;
  try {
    const AnomalyDetection detection;
    check.dead_paths = find_dead_paths(parameters, loss);
  } catch (const AnomalyError& error) {
    check.anomaly = error.what();
  }
  if (!check.anomaly.empty()) check.dead_paths = find_dead_paths(parameters, loss);
  return check;
}

ModelCheck check_model(TranslationModel& model, const TranslationBatch& batch, Index source_vocabulary,
                       Index target_vocabulary) {
  return check_model(
      parameters(model), leak_subject(model, source_vocabulary, target_vocabulary),
      [&] { return model.loss(batch, {}); }, sizes_of(model, source_vocabulary, target_vocabulary));
}

}  // namespace gradual
