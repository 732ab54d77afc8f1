#include <gradual/nn/doctor/doctor.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace experiments {

double Case::loss(const TranslationBatch& of) const {
  const EvaluationScope evaluation;
  const NoGrad no_grad;
  return patient.loss(of).value().item();
}

TranslationBatch rows_of(const TranslationBatch& batch, const std::vector<Index>& rows) {
  const auto chosen = [&](const Indices& ids) -> Indices {
    if (ids.size() == 0) return {};
    const Index places = ids.size() / ids.dim(0);
    std::vector<std::int32_t> kept;
    for (const Index row : rows)
      for (Index t = 0; t < places; ++t) kept.push_back(ids[row * places + t]);
    Shape shape = ids.shape();
    shape.set(0, static_cast<Index>(rows.size()));
    return {shape, std::move(kept)};
  };
  return {
      {chosen(batch.source.ids), chosen(batch.source.lengths)}, chosen(batch.input), chosen(batch.output)};
}

namespace {

// In causal order: the first that fails makes those after it fail, too.
std::vector<Experiment> all() {
  std::vector<Experiment> experiments;
  for (const auto* some :
       {&of_sentences(), &of_data(), &of_batches(), &of_passes(), &of_structure(), &of_weights(), &of_model(),
        &of_output(), &of_loss(), &of_embeddings(), &of_attention(), &of_sight(), &of_reading(),
        &of_gradient(), &of_steps(), &of_updates(), &of_steps_in_a_row(), &of_training()})
    experiments.insert(experiments.end(), some->begin(), some->end());
  return experiments;
}

}  // namespace
}  // namespace experiments

Patient translation_patient(TranslationModel& model, Index source_words, Index target_words) {
  Patient patient =
      patient_of(model, [&model](const TranslationBatch& batch) { return model.loss(batch, {}); });
  patient.source_words = source_words;
  patient.target_words = target_words;
  patient.max_length = model.max_length();
  return patient;
}

Patient language_patient(LanguageModel& model) {
  Patient patient = patient_of(
      model, [&model](const TranslationBatch& batch) { return model.loss(batch.input, batch.output); });
  patient.target_words = model.config().vocabulary;
  patient.max_length = model.config().max_length;
  return patient;
}

Patient classifier_patient(Classifier& model, Index classes) {
  Patient patient = patient_of(model, [&model](const TranslationBatch& batch) {
    return model.loss(batch.source.ids, batch.source.lengths, batch.output);
  });
  patient.source_words = model.config().vocabulary;
  patient.target_words = classes;
  patient.max_length = model.config().max_length;
  return patient;
}

const Finding& Diagnosis::cause() const {
  if (is_sound())
    throw std::logic_error("diagnosis: there must be a cause: all experiments came out as expected");
  return findings.back();
}

std::string Diagnosis::text() const {
  std::string result;
  for (const Finding& each : findings)
    result += gradual::text(each.cause.empty() ? "  " : "! ", each.experiment, ": ", each.evidence, "\n");
  if (is_sound()) return result + "Nothing is wrong that these experiments can find.\n";
  return result + gradual::text("\n", cause().cause, "\nTo try: ", cause().advice,
                                "\nTo read: ", cause().chapter, "\n");
}

Diagnosis examine(const Patient& patient) {
  if (patient.parameters.empty() || patient.target_words < 2 || !patient.batch || !patient.loss)
    throw std::invalid_argument(text(
        "doctor: a patient must have parameters, two words to choose between, batches and a loss: it has ",
        patient.parameters.size(), " parameters, ", patient.target_words, " words, ",
        patient.batch ? "batches" : "no batches", " and ", patient.loss ? "a loss" : "no loss"));
  Patient with_training = patient;
  if (!patient.begin)
    with_training.begin = [&]() -> Patient::Step {
      const auto adam = std::make_shared<Adam>(patient.parameters);
      return [&patient, adam](const std::function<Var()>& loss, double rate) {
        zero_gradients(patient.parameters);
        backward(loss());
        adam->step(rate, clipping_scale(gradient_norm(patient.parameters), 1));
      };
    };
  const experiments::Case subject{with_training, patient.batch(0)};
  Diagnosis diagnosis;
  for (const experiments::Experiment& each : experiments::all()) {
    const std::optional<experiments::Answer> answer = each.make(subject);
    if (!answer) continue;
    diagnosis.findings.push_back(
        {each.name, answer->evidence, answer->cause, answer->advice, answer->chapter});
    if (!answer->cause.empty()) break;
  }
  return diagnosis;
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const experiments::Experiment& each : experiments::all()) names.emplace_back(each.name);
  return names;
}

std::string draw_diagnosis(const Diagnosis& diagnosis) {
  static constexpr double row = 22, line = 15;
  constexpr double width = 680, margin = 12, font = 14, small = 11, of_name = 34;
  struct Line {
    std::string name, mark;
    std::vector<std::string> evidence;
    bool failed = false;
    double height() const {
      return row + line * static_cast<double>(std::max<std::size_t>(evidence.size(), 1) - 1);
    }
  };
  const std::vector<std::string> names = experiment_names();
  double of_evidence = 0;
  for (const std::string& name : names)
    of_evidence = std::max(of_evidence, of_name + bold_factor * text_width(name, font) + margin);
  const std::vector<std::string> conclusion = lines_of(
      diagnosis.is_sound() ? "Nothing is wrong that these experiments can find." : diagnosis.cause().cause,
      font * bold_factor, width - 2 * margin);
  double total = row + row * static_cast<double>(conclusion.size());
  std::vector<Line> lines;
  for (const std::string& name : names) {
    lines.push_back({name, "·", {}});
    for (const Finding& made : diagnosis.findings) {
      if (made.experiment != name) continue;
      lines.back().failed = !made.cause.empty();
      lines.back().mark = made.cause.empty() ? "✓" : "✗";
      lines.back().evidence = lines_of(made.evidence, small, width - margin - of_evidence);
    }
    total += lines.back().height();
  }
  Svg svg(width, total, "diagnosis", "The experiments of the doctor, in their order");
  double y = row;
  for (const Line& each : lines) {
    svg.text(margin, y, each.mark, {{"font-size", font}});
    svg.text(of_name, y, each.name, {{"font-size", font}, {"font-weight", each.failed ? "700" : "400"}});
    double at = y;
    for (const std::string& part : each.evidence) {
      svg.text(of_evidence, at, part, {{"class", "soft"}, {"font-size", small}});
      at += line;
    }
    y += each.height();
  }
  for (const std::string& each : conclusion) {
    svg.text(margin, y, each, {{"font-size", font}, {"font-weight", "700"}});
    y += row;
  }
  return svg.finish();
}

}  // namespace gradual
