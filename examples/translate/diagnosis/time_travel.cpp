#include "time_travel.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include <gradual/core/error.hpp>
#include <gradual/nn/translation/run/earlier_run.hpp>

using namespace gradual;

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

Subcommand rebuild_command(CLI::App& app) {
  struct Settings {
    std::string run = "out/toy", out;
    Index step = 0;
  };
  const auto settings = std::make_shared<Settings>();
  CLI::App* rebuild =
      app.add_subcommand("rebuild", "write the model as it was after a step of a run, bit for bit");
  const Options options(*rebuild);
  options.folder("run", settings->run, "the folder of a run");
  options.not_negative("at-step", settings->step, "steps that were done; 0: none")->required();
  options.file("out", settings->out, "the model to write; without it, step-STEP.safetensors");
  return {rebuild,
          [=] {
            Communicator communicator;
            const Team team(communicator);
            const EarlierRun run(settings->run, settings_of_run(settings->run), team);
            const std::string out =
                settings->out.empty() ? text("step-", settings->step, ".safetensors") : settings->out;
            require_apart(out, run.files());
            require_folder_of(out);
            run.after(settings->step)->translator().save(out);
            std::cout << out << "\n";
          },
          "rebuild --at-step 1000"};
}

Subcommand diff_command(CLI::App& app) {
  struct Settings {
    std::string first, second;
  };
  const auto settings = std::make_shared<Settings>();
  CLI::App* diff = app.add_subcommand("diff", "say what two runs did differently: settings, step, tensor");
  diff->add_option("first", settings->first, "the folder of a run")->type_name("FOLDER")->required();
  diff->add_option("second", settings->second, "the folder of another")->type_name("FOLDER")->required();
  diff->footer(
      "Where no trace was kept (train --trace), the step before the first difference is made again in both.");
  return {diff,
          [=] {
            Communicator communicator;
            const Team team(communicator);
            const EarlierRun first(settings->first, settings_of_run(settings->first), team, "diff");
            const EarlierRun second(settings->second, settings_of_run(settings->second), team, "diff");
            std::cout << run_difference(first, second).text();
          },
          "diff out/toy out/longer"};
}
