#include "together.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>

#include "report.hpp"
#include "training_run.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

constexpr double loss_tolerance = 0.01;  // of the loss: rounding grows while a model trains
constexpr int seconds_of_a_milestone = 300;

// Rounding may differ, and grows while a model trains. Where not even that differs, translations do not
// either.
bool is_alike(const TrainingRun& yours, const TrainingRun& other) {
  if (*yours.loss == *other.loss) return std::abs(yours.bleu - other.bleu) < 1e-6;
  return std::abs(*yours.loss - *other.loss) <= loss_tolerance * *other.loss;
}

// "--steps 12" of "./run translate train --steps 12", which is how a person would type it.
std::vector<std::string> settings_of(const Assignment& assignment) {
  const std::vector<std::string> command = {"./run", "translate", "train"};
  std::vector<std::string> words = list_of(assignment.milestone, ' ');
  if (words.size() < command.size() || !std::equal(command.begin(), command.end(), words.begin()))
    throw std::invalid_argument("a milestone is a command ./run translate train …: that of " +
                                assignment.number + " is " + assignment.milestone);
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(command.size()));
  return words;
}

}  // namespace

Milestone milestone(const Workshop& workshop, const Assignment& assignment, const Coursework& work) {
  if (assignment.milestone.empty())
    return {true, "together: the parts of this assignment stand for themselves; it has no milestone\n"};
  if (!can_write_build(workshop))
    return {false, "together: the translator is linked in the build, which is another's here: " +
                       workshop.build + "\n"};
  const ScratchFolder made;
  std::vector<std::string> objects;
  std::string taken, left;
  for (const Part& part : assignment.parts) {
    const std::string folder = made.path() + "/" + std::to_string(part.place);
    make_folder(folder);
    const Built built = compile_part(workshop, part, read_text(work.file_of(assignment, part)), folder);
    const bool is_taken = built.state == Built::State::program;
    (is_taken ? taken : left) += " " + std::to_string(part.place);
    if (is_taken) objects.push_back(built.program);
  }
  if (objects.empty()) return {false, "together: no part is ready to go into the translator\n"};
  for (const std::string& object : compile_own(workshop, assignment, made.path())) objects.push_back(object);
  make_folder(workshop.cache);
  join_objects(workshop, objects, workshop.cache + "/together.o");
  make_target(workshop, "translate_together");
  make_target(workshop, "translate");
  const std::string program =
      fs::path(work.file_of(assignment, assignment.parts.front())).parent_path().string() + "/translate";
  fs::copy_file(workshop.build + "/bin/translate_together", program, fs::copy_options::overwrite_existing);

  const std::vector<std::string> settings = settings_of(assignment);
  const TrainingRun yours = run_training(program, settings, seconds_of_a_milestone);
  Milestone reached;
  std::ostringstream text;
  text << "together: the translator with your parts" << taken
       << (left.empty() ? "" : ", and the library's" + left) << "\n";
  if (!yours.loss) {
    text << "  It does not train. " << visible(yours.problem) << "\n";
    reached.text = text.str();
    return reached;
  }
  const TrainingRun library =
      run_training(workshop.build + "/bin/translate", settings, seconds_of_a_milestone);
  if (!library.loss) throw std::runtime_error("the library's translator must train: " + library.problem);
  reached.is_reached = is_alike(yours, library);
  text << "  after a few steps   loss: yours " << *yours.loss << ", the library's " << *library.loss
       << "   BLEU: yours " << yours.bleu << ", the library's " << library.bleu << "\n"
       << (reached.is_reached
               ? "  It learns as the library's does. "
               : "  It learns or translates otherwise than the library's: grade the parts one by one. ")
       << "To go on with it: " << program << " train --out out/mine\n";
  reached.text = text.str();
  return reached;
}
