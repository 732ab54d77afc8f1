// A program with a loop of its own, as examine() sees it.
#pragma once

#include <memory>

#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/training/schedule.hpp>

#include "unseen_bugs.hpp"

namespace gradual::unseen {

/// It does not outlive the program.
inline Patient patient_of_program(const Program& program) {
  Patient patient = translation_patient(*program.model, program.source_words, program.target_words);
  patient.batch = [&program](Index n) { return program.batch(n); };
  patient.begin = [&program]() -> Patient::Step {
    const auto adam = std::make_shared<Adam>(program.trained);
    return [&program, adam](const std::function<Var()>& loss, double rate) {
      if (program.step) return program.step(program, loss, rate);
      zero_gradients(parameters(*program.model));
      backward(loss());
      adam->step(rate);
    };
  };
  Schedule schedule;
  schedule.peak = 0.005;
  schedule.warmup = 50;
  patient.rate = schedule;
  return patient;
}

}  // namespace gradual::unseen
