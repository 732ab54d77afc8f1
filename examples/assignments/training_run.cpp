#include "training_run.hpp"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>

using namespace gradual;
namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string last_line(const std::string& text) {
  const auto last = text.find_last_not_of('\n');
  return last == std::string::npos ? ""
                                   : text.substr(text.rfind('\n', last) + 1, last - text.rfind('\n', last));
}

std::vector<double> losses_in(const std::string& path) {
  std::vector<double> losses;
  std::istringstream log(read_text(path));
  for (std::string line; std::getline(log, line);) {
    const auto step = nlohmann::json::parse(line, nullptr, false);
    if (step.is_object() && step.contains("loss") && step["loss"].is_number()) losses.push_back(step["loss"]);
  }
  return losses;
}

}  // namespace

void make_target(const Workshop& workshop, const std::string& target) {
  static std::set<std::string> made;  // what no part goes into, which others may be running
  const std::string program = workshop.build + "/bin/" + target;
  if (target == "translate" && made.count(program) != 0) return;
  if (!can_write_build(workshop)) {
    if (fs::exists(program)) return;  // whoever the build belongs to has made it
    throw FileError(program, "is missing, and the build is another's: its owner makes it by cmake --build " +
                                 workshop.build + " --target " + target);
  }
  make_folder(workshop.cache);
  const std::string log = workshop.cache + "/" + target + ".log";
  const std::string command = quoted(workshop.cmake) + " --build " + quoted(workshop.build) + " --target " +
                              target + " >" + quoted(log) + " 2>&1";
  if (std::system(command.c_str()) != 0) throw std::runtime_error(target + " could not be built; see " + log);
  made.insert(program);
}

TrainingRun run_training(const std::string& program, const std::vector<std::string>& options, int seconds) {
  const ScratchFolder scratch;
  const std::string out = scratch.path() + "/out";
  Confinement c;
  c.seconds = seconds;
  c.memory = std::size_t(4) << 30;
  c.readable = {fs::path(program).parent_path().string()};
  c.writable = scratch.path();
  std::vector<std::string> command = {program, "train", "--json", "--threads", "1", "--out", out};
  command.insert(command.end(), options.begin(), options.end());
  const Outcome outcome = run_confined(command, c);
  require_machine(outcome, c);
  TrainingRun run;
  run.layers = outcome.layers;
  if (fs::exists(out + "/log.jsonl") && fs::file_size(out + "/log.jsonl") > 0)
    run.losses = losses_in(out + "/log.jsonl");
  if (!outcome.succeeded()) {
    run.problem = "It " + outcome.problem() + " " + last_line(outcome.output);
    return run;
  }
  const auto figures = nlohmann::json::parse(last_line(outcome.output), nullptr, false);
  if (!figures.is_object() || !figures.contains("loss") || !figures["loss"].is_number()) {
    run.problem = "Its loss is not a number.";
    return run;
  }
  run.loss = figures["loss"];
  run.parameters = figures.value("parameters", Index(0));
  run.bleu = figures.value(nlohmann::json::json_pointer("/held_out/held-out/bleu"), 0.0);
  return run;
}
