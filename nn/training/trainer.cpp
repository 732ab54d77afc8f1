#include <gradual/nn/training/trainer.hpp>

#include <cmath>
#include <utility>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/error.hpp>

namespace gradual {

Trainer::Trainer(std::vector<NamedParameter> parameters, Optimizer& optimizer, Schedule schedule,
                 double clip_norm)
    : parameters_(std::move(parameters)), optimizer_(optimizer), schedule_(schedule), clip_norm_(clip_norm) {}

TrainingStep Trainer::step(const std::vector<std::function<Var()>>& losses) {
  if (losses.empty()) throw std::invalid_argument("training step: there must be at least one batch");
  Profiler::mark("between steps");
  zero_gradients(parameters_);
  const double share = 1 / static_cast<double>(losses.size());
  TrainingStep report{steps_ + 1, 0, rate_factor_ * schedule_(steps_ + 1), 0};
  for (const auto& make_loss : losses) {
    const Var loss = make_loss();
    report.loss += static_cast<double>(loss.value().item()) * share;
    if (parallel_ && &make_loss == &losses.back()) parallel_->start();
    backward(loss);
  }
  if (parallel_) {
    parallel_->finish();
    report.loss = communicator_->sum(report.loss);
  }
  report.gradient_norm = gradient_norm(parameters_) * share;
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw DivergedError(text("training step ", report.step,
                             ": the loss and its gradient must be finite: loss is ", report.loss,
                             ", gradient norm is ", report.gradient_norm,
                             "; a lower learning rate or a longer warm-up usually helps"));
  const double clipping = clip_norm_ > 0 ? clipping_scale(report.gradient_norm, clip_norm_) : 1;
  optimizer_.step(report.learning_rate, share * clipping);
  ++steps_;
  Profiler::mark("clipping and update");
  return report;
}

}  // namespace gradual
