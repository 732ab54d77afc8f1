// What a trainer writes down, and goes on from.
#include <gradual/nn/training/trainer.hpp>

namespace gradual {

void Trainer::save_checkpoint(const std::string& path, const Random& random, const std::string& note) const {
  std::optional<BorrowedValues> own;  // in the middle of a look
  if (borrowed_) own.emplace(parameters_, borrowed_->own());
  gradual::save_checkpoint(path, state(random, note));
}

void Trainer::load_checkpoint(const std::string& path, Random& random,
                              const std::function<void(const std::string& note)>& accept) {
  TrainingState stored = state(random, "");
  if (!team_ || team_->leads()) gradual::load_checkpoint(path, stored, accept);
  if (team_) spread(stored);
  steps_ = stored.steps;
  if (average_) average_->set_values(stored.extra);
  rate_factor_ = stored.numbers[0];
  patience_.set(stored.numbers[1], static_cast<Index>(stored.numbers[2]));
  seconds_ = stored.numbers[3];
  stopped_ = false;
  for (Appointment& each : appointments_) each.loss = 0, each.steps = 0;
}

TrainingState Trainer::state(const Random& random, const std::string& note) const {
  return {parameters_,
          optimizer_,
          random,
          steps_,
          note,
          average_ ? average_->values() : NamedTensors{},
          {rate_factor_, patience_.best(), static_cast<double>(patience_.since_best()), seconds_}};
}

void Trainer::spread(TrainingState& state) const {
  NamedTensors optimizer = optimizer_.state(), values = values_of(parameters_);
  for (NamedTensors* tensors : {&optimizer, &values, &state.extra}) team_->spread(*tensors);
  optimizer_.set_state(optimizer);
  set_parameters(parameters_, values);
  std::vector<double> steps{static_cast<double>(state.steps)};
  team_->spread(steps);
  state.steps = static_cast<Index>(steps[0]);
  team_->align(state.random);
  team_->spread(state.numbers);
}

}  // namespace gradual
