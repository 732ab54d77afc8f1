#include "together.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>

using namespace gradual;
namespace fs = std::filesystem;

namespace {

constexpr double loss_tolerance = 0.01;  // of the loss: rounding grows while a model trains

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// What the build itself makes, by its own commands.
void make(const Workshop& workshop, const std::string& target) {
  const std::string log = workshop.cache + "/" + target + ".log";
  const std::string command = quoted(workshop.cmake) + " --build " + quoted(workshop.build) + " --target " +
                              target + " >" + quoted(log) + " 2>&1";
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("assignments: " + target + " could not be built; see " + log);
}

struct Run {
  std::optional<double> loss;
  std::string problem;
};

// "--steps 12" of "./run translate train --steps 12", which is how a person would type it.
std::vector<std::string> settings_of(const Assignment& assignment) {
  const std::vector<std::string> command = {"./run", "translate", "train"};
  std::vector<std::string> words = list_of(assignment.milestone, ' ');
  if (words.size() < command.size() || !std::equal(command.begin(), command.end(), words.begin()))
    throw std::invalid_argument("assignments: a milestone is a command ./run translate train …: that of " +
                                assignment.number + " is " + assignment.milestone);
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(command.size()));
  return words;
}

// A short training, and its last loss.
Run train(const std::string& program, const Assignment& assignment) {
  const ScratchFolder scratch;
  Confinement c;
  c.seconds = 300;
  c.memory = std::size_t(4) << 30;
  c.readable = {fs::path(program).parent_path().string()};
  c.writable = scratch.path();
  std::vector<std::string> command = {program, "train", "--threads", "1", "--out", scratch.path() + "/out"};
  for (const std::string& word : settings_of(assignment)) command.push_back(word);
  const Outcome outcome = run_confined(command, c);
  Run run;
  if (!outcome.succeeded()) {
    const auto last = outcome.output.find_last_not_of('\n');
    const auto line = outcome.output.rfind('\n', last);
    run.problem = "It " + outcome.problem() + " " +
                  outcome.output.substr(line + 1, last == std::string::npos ? last : last - line);
    return run;
  }
  std::istringstream log(read_text(scratch.path() + "/out/log.jsonl"));
  for (std::string line; std::getline(log, line);) {
    const auto step = nlohmann::json::parse(line, nullptr, false);
    if (step.is_object() && step.contains("loss") && step["loss"].is_number()) run.loss = step["loss"];
  }
  if (!run.loss) run.problem = "Its loss is not a number.";
  return run;
}

}  // namespace

Milestone milestone(const Workshop& workshop, const Assignment& assignment, const Coursework& work) {
  if (assignment.milestone.empty())
    return {true, "together: the parts of this assignment stand for themselves; it has no milestone\n"};
  const ScratchFolder made;
  std::vector<std::string> objects;
  std::string taken, left;
  for (const Part& part : assignment.parts) {
    const std::string folder = made.path() + "/" + std::to_string(part.place);
    make_folder(folder);
    const Built built = compile_part(workshop, part, work.file_of(assignment, part), folder);
    const bool is_taken = built.state == Built::State::program;
    (is_taken ? taken : left) += " " + std::to_string(part.place);
    if (is_taken) objects.push_back(built.program);
  }
  if (objects.empty()) return {false, "together: no part is ready to go into the translator\n"};
  for (const std::string& object : compile_own(workshop, assignment, made.path())) objects.push_back(object);
  make_folder(workshop.cache);
  join_objects(workshop, objects, workshop.cache + "/together.o");
  make(workshop, "translate_together");
  make(workshop, "translate");
  const std::string program =
      fs::path(work.file_of(assignment, assignment.parts.front())).parent_path().string() + "/translate";
  fs::copy_file(workshop.build + "/bin/translate_together", program, fs::copy_options::overwrite_existing);

  const Run yours = train(program, assignment),
            library = train(workshop.build + "/bin/translate", assignment);
  Milestone reached;
  std::ostringstream text;
  text << "together: the translator with your parts" << taken
       << (left.empty() ? "" : ", and the library's" + left) << "\n";
  if (!library.loss)
    throw std::runtime_error("assignments: the library's translator must train: " + library.problem);
  if (!yours.loss) {
    text << "  It does not train. " << yours.problem << "\n";
  } else {
    text << "  loss after a few steps   yours " << *yours.loss << "   the library's " << *library.loss
         << "\n";
    reached.is_reached = std::abs(*yours.loss - *library.loss) <= loss_tolerance * *library.loss;
    text << (reached.is_reached ? "  It learns as the library's does. "
                                : "  It learns otherwise than the library's: grade the parts one by one. ")
         << "To go on with it: " << program << " train --out out/mine\n";
  }
  reached.text = text.str();
  return reached;
}
