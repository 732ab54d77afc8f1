#include "before_training.hpp"

#include <iostream>
#include <memory>

#include <gradual/nn/diagnosis/model_check.hpp>
#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/translation/run/training.hpp>

using namespace gradual;

int check_before_training(const TrainSettings& settings, const Corpora& corpora, const Team& team) {
  TranslatorTraining training(settings, corpora, team);
  const Translator& translator = training.translator();
  const ModelCheck check =
      check_model(translator.model(), training.batch(0), translator.source().vocabulary.size(),
                  translator.target().vocabulary.size());
  if (team.leads()) std::cout << check.text();
  return check.is_sound() ? 0 : 1;
}

int examine_before_training(const TrainSettings& settings, const Corpora& corpora, const Team& team) {
  TranslatorTraining training(settings, corpora, team);
  const Translator& translator = training.translator();
  TranslationModel& model = translator.model();
  Patient patient = translation_patient(model, translator.source().vocabulary.size(),
                                        translator.target().vocabulary.size());
  patient.batch = [&](Index n) { return training.batch(n); };
  patient.begin = [&]() -> Patient::Step {
    const std::shared_ptr<Optimizer> optimizer = training_optimizer(training.parameters(), settings);
    return [&, optimizer](const std::function<Var()>& loss, double rate) {
      Trainer trainer(model, *optimizer, {Decay::constant, rate, 0, 1}, {settings.clip});
      trainer.step([&](Index) { return BatchLoss(loss()); });
    };
  };
  patient.rate = settings.schedule;
  patient.steps = settings.steps;
  patient.batches = training.batches_in_epoch();
  const Diagnosis diagnosis = examine(patient);
  if (team.leads()) std::cout << diagnosis.text();
  return diagnosis.is_sound() ? 0 : 1;
}
