#include "time_travel.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/diagnosis/step_trace.hpp>
#include <gradual/nn/training/history.hpp>
#include <gradual/nn/training/run_difference.hpp>

using namespace gradual;

namespace {

namespace files = std::filesystem;

// The settings that a run wrote into its folder.
TrainSettings settings_of_run(const std::string& folder) {
  CLI::App app;
  CLI::App* train = app.add_subcommand("train");
  const TrainOptions options(*train);
  const std::string config = folder + "/settings.conf";
  const std::vector<std::string> given{"--config", config};
  std::vector<std::string> arguments = with_config_and_preset(*train, given, config_of(*train, given), "");
  arguments.insert(arguments.begin(), "train");
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  app.parse(arguments);
  return options.settings();
}

// Two steps of a run, tensor by tensor, and the parameters before them.
std::vector<StepTrace> traced(const EarlierRun& run, Index first, Index last) {
  const std::unique_ptr<Training> training = run.after(first - 1);
  std::vector<StepTrace> traces{StepTracer().finish(0, training->parameters())};
  for (Index step = first; step <= last; ++step) {
    StepTracer tracer;
    training->trainer().step([&](Index n) { return training->loss_of_batch(n); });
    traces.push_back(tracer.finish(step, training->parameters()));
  }
  return traces;
}

RunDifference difference(const EarlierRun& first, const EarlierRun& second) {
  RunDifference found{setting_differences(first.written_settings(), second.written_settings()),
                      log_difference(first.log(), second.log()),
                      trace_difference(read_step_traces(first.file("trace.jsonl")),
                                       read_step_traces(second.file("trace.jsonl")))};
  if (found.tensor || !found.log || found.log->number == "end") return found;
  const Index last = found.log->step;  // the update of the step before may be what shows
  const Index from = std::max({last - 1, first.first_step(), second.first_step()});
  found.tensor = trace_difference(traced(first, from, last), traced(second, from, last));
  return found;
}

}  // namespace

EarlierRun::EarlierRun(const std::string& folder, const Team& team)
    : folder_(folder),
      team_(team),
      settings_(settings_of_run(folder)),
      log_(read_training_log(file("log.jsonl"))),
      corpora_(load_corpora(settings_)) {}

std::string EarlierRun::written_settings() const { return settings_.used; }

std::unique_ptr<Training> EarlierRun::after(Index step) const {
  const auto steps = static_cast<Index>(log_.size());
  if (step < 0 || step > steps)
    throw std::invalid_argument(
        text("rebuild: the run must have the step: ", folder_, " has ", steps, ", asked for ", step));
  if (!team_.is_alone())
    throw std::invalid_argument("rebuild: one process makes steps again: this is one of several");
  if (!settings_.fork.empty() && step < settings_.at_step)
    throw std::invalid_argument(text("rebuild: ", folder_, " begins after step ", settings_.at_step, " of ",
                                     settings_.fork, ": that run has the steps before"));
  auto training = std::make_unique<Training>(settings_, corpora_, team_);
  training->watch([] {});
  const auto in_log = [&](const TrainingStep& now) {
    const double before = log_[static_cast<std::size_t>(now.step) - 1].loss;
    if (now.loss != before)
      throw std::runtime_error(
          text("rebuild: this program must make the steps of the run in ", folder_, " again: in step ",
               now.step, " the loss is ", now.loss, ", the log has ", before,
               "; another version, machine or BLAS kernel, or several processes, made it"));
  };
  training->trainer().every(1, in_log);
  make_again(
      training->trainer(), training->random(), folder_, step,
      [&](Index n) { return training->loss_of_batch(n); },
      [&](const std::string& note) {
        if (note != training->note())
          throw std::invalid_argument("rebuild: the settings and the text in " + folder_ +
                                      " must be those of its snapshots: they have changed since");
      });
  return training;
}

void fork_run(const TrainSettings& settings, const Team& team, const std::string& folder,
              const std::string& checkpoint) {
  const EarlierRun earlier(settings.fork, team);
  const std::unique_ptr<Training> training = earlier.after(settings.at_step);
  training->trainer().save_checkpoint(checkpoint, training->random(), "fork");
  for (const char* name : {"log.jsonl", "milestones.jsonl"}) {
    const files::path from = path_of(earlier.file(name)), to = path_of(folder + "/" + name);
    if (files::exists(from)) files::copy_file(from, to, files::copy_options::overwrite_existing);
  }
}

Subcommand rebuild_command(CLI::App& app) {
  struct Settings {
    std::string run = "out/toy", out;
    Index step = 0;
  };
  const auto settings = std::make_shared<Settings>();
  CLI::App* rebuild =
      app.add_subcommand("rebuild", "write the model as it was after a step of a run, to the last bit");
  const Options options(*rebuild);
  options("run", settings->run, "the folder of a run");
  options.not_negative("at-step", settings->step, "steps that were done; 0: none")->required();
  options("out", settings->out, "the model to write; without it, step-STEP.safetensors");
  return {rebuild, [=] {
            Communicator communicator;
            const Team team(communicator);
            const EarlierRun run(settings->run, team);
            const std::unique_ptr<Training> training = run.after(settings->step);
            const std::string out =
                settings->out.empty() ? text("step-", settings->step, ".safetensors") : settings->out;
            training->translator().save(out);
            std::cout << out << "\n";
          }};
}

Subcommand diff_command(CLI::App& app) {
  struct Settings {
    std::string first, second;
  };
  const auto settings = std::make_shared<Settings>();
  CLI::App* diff = app.add_subcommand("diff", "say what two runs did differently: settings, step, tensor");
  diff->add_option("first", settings->first, "the folder of a run")->required();
  diff->add_option("second", settings->second, "the folder of another")->required();
  diff->footer(
      "Where no trace was kept (train --trace), the step before the first difference is made again in both.");
  return {diff, [=] {
            Communicator communicator;
            const Team team(communicator);
            std::cout << difference({settings->first, team}, {settings->second, team}).text();
          }};
}
