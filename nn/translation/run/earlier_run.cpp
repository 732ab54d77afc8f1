#include <gradual/nn/translation/run/earlier_run.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/training/history.hpp>
#include <gradual/nn/training/run_folder.hpp>

namespace gradual {

EarlierRun::EarlierRun(std::string folder, const RunSettings& settings, const Team& team,
                       std::string operation)
    : folder_(std::move(folder)),
      operation_(std::move(operation)),
      team_(team),
      settings_(settings),
      log_(read_training_log(file("log.jsonl"))),
      corpora_(load_corpora(settings_)) {}

std::unique_ptr<TranslatorTraining> EarlierRun::after(Index step) const {
  std::unique_ptr<TranslatorTraining> training = beginning();
  bring(*training, step);
  return training;
}

std::unique_ptr<TranslatorTraining> EarlierRun::beginning() const { return beginning(nullptr); }

// `after_step` comes before the looks.
std::unique_ptr<TranslatorTraining> EarlierRun::beginning(Trainer::Callback after_step) const {
  if (!team_.is_alone())
    throw std::invalid_argument(operation_ + ": one process makes steps again: this is one of several");
  auto training = std::make_unique<TranslatorTraining>(settings_, corpora_, team_);
  if (const std::string note = RunFolder::note_of(file("checkpoint.safetensors")); !note.empty())
    require_unchanged(*training, note);
  if (after_step) training->trainer().every(1, std::move(after_step));
  training->watch([] {});
  training->trainer().every(1, [this](const TrainingStep& now) {
    require_step(now.step);
    const double before = log_[static_cast<std::size_t>(now.step) - 1].loss;
    if (now.loss != before)
      throw std::runtime_error(
          text(operation_, ": this program must make the steps of the run in ", folder_, " again: in step ",
               now.step, " the loss is ", now.loss, ", the log has ", before,
               "; another version, machine or BLAS kernel, or several processes, made it"));
  });
  return training;
}

void EarlierRun::require_step(Index step) const {
  const auto steps = static_cast<Index>(log_.size());
  if (step < 0 || step > steps)
    throw std::invalid_argument(
        text(operation_, ": the run must have the step: ", folder_, " has ", steps, ", asked for ", step));
  if (!settings_.fork.empty() && step < settings_.at_step)
    throw std::invalid_argument(text(operation_, ": ", folder_, " begins after step ", settings_.at_step,
                                     " of ", settings_.fork, ": that run has the steps before"));
}

void EarlierRun::bring(TranslatorTraining& training, Index step) const {
  require_step(step);
  make_again(
      training.trainer(), training.random(), folder_, step,
      [&](Index n) { return training.loss_of_batch(n); },
      [&](const std::string& note) { require_unchanged(training, note); });
}

void EarlierRun::require_unchanged(const TranslatorTraining& training, const std::string& note) const {
  if (!RunFolder::are_of_one_run(note, training.note()))
    throw std::invalid_argument(operation_ + ": the settings and the text of " + folder_ +
                                " must be those of its checkpoints: they have changed since");
}

std::vector<StepTrace> EarlierRun::traces(Index first, Index last) const {
  require_step(last);
  std::vector<StepTrace> traces;
  std::optional<StepTracer> tracer;
  std::unique_ptr<TranslatorTraining> training;
  training = beginning([&](const TrainingStep& now) {
    if (tracer) traces.push_back(tracer->finish(now.step, training->parameters()));
  });
  bring(*training, first - 1);
  traces.push_back(tracer.emplace().finish(first - 1, training->parameters()));
  Trainer& trainer = training->trainer();
  trainer.interrupt_when([&] { return trainer.steps_done() >= last; });
  trainer.run([&](Index n) {
    if (n % settings_.accumulate == 0) tracer->begin();  // not what was looked at since
    return training->loss_of_batch(n);
  });
  return traces;
}

std::vector<std::string> EarlierRun::files() const {
  std::vector<std::string> found = settings_.files();
  for (const std::string& name : RunFolder::files_in(folder_, held_out_names())) found.push_back(file(name));
  return found;
}

void EarlierRun::copy_logs(const std::string& folder) const {
  namespace files = std::filesystem;
  for (const char* name : {"log.jsonl", "milestones.jsonl"}) {
    const files::path from = path_of(file(name)), to = path_of(folder + "/" + name);
    if (files::exists(from)) files::copy_file(from, to, files::copy_options::overwrite_existing);
  }
}

RunDifference run_difference(const EarlierRun& first, const EarlierRun& second) {
  RunDifference found{setting_differences(first.settings().used, second.settings().used),
                      log_difference(first.log(), second.log()),
                      trace_difference(read_step_traces(first.file("trace.jsonl")),
                                       read_step_traces(second.file("trace.jsonl")))};
  const std::string first_text = RunFolder::text_of(first.file("checkpoint.safetensors"));
  const std::string second_text = RunFolder::text_of(second.file("checkpoint.safetensors"));
  found.of_other_text = !first_text.empty() && !second_text.empty() && first_text != second_text;
  if (found.tensor || !found.log || found.log->number == "end") return found;
  const Index last = found.log->step;  // the update of the step before may be what shows
  const Index from = std::max({last - 1, first.first_step(), second.first_step()});
  if (from > last) {
    found.not_compared = text("a fork has no step ", last, " of its own to make again");
    return found;
  }
  try {
    found.tensor = trace_difference(first.traces(from, last), second.traces(from, last));
  } catch (const std::exception& error) {  // what else differs is told all the same
    found.not_compared = error.what();
  }
  return found;
}

}  // namespace gradual
