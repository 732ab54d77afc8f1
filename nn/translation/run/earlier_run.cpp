#include <gradual/nn/translation/run/earlier_run.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/training/history.hpp>

namespace gradual {

EarlierRun::EarlierRun(std::string folder, const RunSettings& settings, const Team& team)
    : folder_(std::move(folder)),
      team_(team),
      settings_(settings),
      log_(read_training_log(file("log.jsonl"))),
      corpora_(load_corpora(settings_)) {}

std::unique_ptr<TranslatorTraining> EarlierRun::after(Index step) const {
  std::unique_ptr<TranslatorTraining> training = beginning();
  bring(*training, step);
  return training;
}

std::unique_ptr<TranslatorTraining> EarlierRun::beginning() const {
  if (!team_.is_alone())
    throw std::invalid_argument("rebuild: one process makes steps again: this is one of several");
  auto training = std::make_unique<TranslatorTraining>(settings_, corpora_, team_);
  training->watch([] {});
  training->trainer().every(1, [this](const TrainingStep& now) {
    const double before = log_[static_cast<std::size_t>(now.step) - 1].loss;
    if (now.loss != before)
      throw std::runtime_error(
          text("rebuild: this program must make the steps of the run in ", folder_, " again: in step ",
               now.step, " the loss is ", now.loss, ", the log has ", before,
               "; another version, machine or BLAS kernel, or several processes, made it"));
  });
  return training;
}

void EarlierRun::require_step(Index step) const {
  const auto steps = static_cast<Index>(log_.size());
  if (step < 0 || step > steps)
    throw std::invalid_argument(
        text("rebuild: the run must have the step: ", folder_, " has ", steps, ", asked for ", step));
  if (!settings_.fork.empty() && step < settings_.at_step)
    throw std::invalid_argument(text("rebuild: ", folder_, " begins after step ", settings_.at_step, " of ",
                                     settings_.fork, ": that run has the steps before"));
}

void EarlierRun::bring(TranslatorTraining& training, Index step) const {
  require_step(step);
  make_again(
      training.trainer(), training.random(), folder_, step,
      [&](Index n) { return training.loss_of_batch(n); },
      [&](const std::string& note) {
        if (note != training.note())
          throw std::invalid_argument("rebuild: the settings and the text in " + folder_ +
                                      " must be those of its snapshots: they have changed since");
      });
}

void EarlierRun::copy_logs(const std::string& folder) const {
  namespace files = std::filesystem;
  for (const char* name : {"log.jsonl", "milestones.jsonl"}) {
    const files::path from = path_of(file(name)), to = path_of(folder + "/" + name);
    if (files::exists(from)) files::copy_file(from, to, files::copy_options::overwrite_existing);
  }
}

namespace {

// Some steps of a run, tensor by tensor, and the parameters before them.
std::vector<StepTrace> traced(const EarlierRun& run, Index first, Index last) {
  const std::unique_ptr<TranslatorTraining> training = run.after(first - 1);
  std::vector<StepTrace> traces{StepTracer().finish(0, training->parameters())};
  for (Index step = first; step <= last; ++step) {
    StepTracer tracer;
    training->trainer().step([&](Index n) { return training->loss_of_batch(n); });
    traces.push_back(tracer.finish(step, training->parameters()));
  }
  return traces;
}

}  // namespace

RunDifference run_difference(const EarlierRun& first, const EarlierRun& second) {
  RunDifference found{setting_differences(first.settings().used, second.settings().used),
                      log_difference(first.log(), second.log()),
                      trace_difference(read_step_traces(first.file("trace.jsonl")),
                                       read_step_traces(second.file("trace.jsonl")))};
  if (found.tensor || !found.log || found.log->number == "end") return found;
  const Index last = found.log->step;  // the update of the step before may be what shows
  const Index from = std::max({last - 1, first.first_step(), second.first_step()});
  found.tensor = trace_difference(traced(first, from, last), traced(second, from, last));
  return found;
}

}  // namespace gradual
