#include "autograder.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/folder.hpp>

#include "../exports.hpp"
#include "../submission.hpp"
#include "archive.hpp"
#include "grading.hpp"
#include "keyed_hash.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

const Assignment& find_assignment(const Desk& desk, const Course& course, const std::string& number) {
  check_assignment(course, number);
  return assignment_of(desk.assignments, find_parts(desk.assignments, number).front());
}

std::string template_of(const Desk& desk, const std::string& name) {
  return read_text(desk.workshop.assignments + "/course/" + name);
}

// The files below a folder, in the order of their paths, without links, and without what editors and macOS
// put beside the files of people.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (auto i = fs::recursive_directory_iterator(folder); i != fs::recursive_directory_iterator(); ++i) {
    const std::string name = i->path().filename().string();
    if (name[0] == '.' || name == "__MACOSX")
      i.disable_recursion_pending();
    else if (i->is_regular_file() && !i->is_symlink())
      paths.push_back(i->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What the build needs of a checkout, by name: beside it lies what its owner put there, rosters and courses
// and what students handed in.
std::vector<fs::path> sources_in(const fs::path& root) {
  std::vector<fs::path> paths;
  for (const char* name : {"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
                           "environment.yml", "run"})
    if (fs::exists(root / name)) paths.push_back(root / name);
  for (const char* name : {"autograd", "cmake", "core", "examples", "nn", "notebooks", "tests"}) {
    const std::vector<fs::path> below = files_below(root / name);
    paths.insert(paths.end(), below.begin(), below.end());
  }
  return paths;
}

void add_sources(const fs::path& root, std::vector<ZippedFile>& files) {
  for (const fs::path& path : sources_in(root)) {
    if (path.filename() == "course.conf")
      throw FileError(
          path.parent_path().string(),
          "a course must not lie among the sources, which go into the archive, its key with them: "
          "move it to " +
              (root / "courses").string());
    const bool is_program = (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    files.push_back({"gradual/" + fs::relative(path, root).string(), read_text(path.string()), is_program});
  }
}

// What was handed in, each by its path.
struct HandedIn {
  std::map<std::string, Submission> submissions;
  std::map<std::string, std::vector<std::string>> parts;  // where files of a part's name are
};

// By its name, or, as others may have given it another, by what is in it: other JSON is an editor's.
bool is_meant_as_submission(const std::string& name, const std::string& text) {
  const std::string ending = ".submission.json";
  return (name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending) ||
         text.find("\"gradual_submission\"") != std::string::npos;
}

HandedIn find_handed_in(const Assignment& assignment, const fs::path& folder) {
  HandedIn found;
  for (const fs::path& path : files_below(folder)) {
    const std::string place = path.lexically_relative(folder).string(), name = path.filename().string();
    if (ending_of(name) == ".json") {
      const std::string text = read_text(path.string());
      if (is_meant_as_submission(name, text)) found.submissions[place] = parse_submission(text, place);
    }
    for (const Part& part : assignment.parts)
      if (name == part.file() && fs::file_size(path) < (1 << 20)) found.parts[name].push_back(place);
  }
  return found;
}

// The youngest of this assignment. Returns what is to be said of it.
std::string take_submission(const Desk& desk, const Assignment& assignment, const HandedIn& found,
                            const std::string& to) {
  const Submission* chosen = nullptr;
  std::string place, others;
  for (const auto& [where, submission] : found.submissions)
    if (submission.assignment == assignment.number && (!chosen || submission.made > chosen->made))
      chosen = &submission, place = where;
  if (!chosen) {
    const auto& [where, submission] = *found.submissions.begin();
    throw FileError(where, "is of assignment " + submission.assignment + "; this is " + assignment.number);
  }
  check_version(*chosen, desk.workshop, desk.assignments, place);
  write_parts(*chosen, assignment, to);
  for (const auto& [where, submission] : found.submissions)
    if (&submission != chosen) others += "Not graded: " + where + ", made " + submission.made + ".\n";
  for (const auto& [name, places] : found.parts)
    for (const std::string& where : places)
      others += "Not graded: " + where + ", since there is a submission. Leave that out, or write it anew.\n";
  return "Graded: " + place + ", made " + chosen->made + ".\n" + others;
}

std::string take_parts(const fs::path& from, const HandedIn& found, const std::string& to) {
  std::string said;
  for (const auto& [name, places] : found.parts) {
    if (places.size() > 1)
      throw std::invalid_argument("a part must be there once: it is " + places[0] + " and " + places[1]);
    fs::copy_file(from / places[0], to + "/" + name);
    said += "Graded: " + places[0] + ".\n";
  }
  return said;
}

// The parts that were handed in, as files in a folder: from a submission, else from files of the parts'
// names. Returns which of all that is there these are.
std::string gather_parts(const Desk& desk, const Assignment& assignment, const std::string& from,
                         const std::string& to) {
  const HandedIn found = find_handed_in(assignment, from);
  if (!found.submissions.empty()) return take_submission(desk, assignment, found, to);
  if (!found.parts.empty()) return take_parts(from, found, to);
  throw std::invalid_argument("there is neither " + assignment.number +
                              ".submission.json, which ./run submit writes, nor a file of a part, as " +
                              assignment.parts.front().file());
}

// Who it is, for the seeds alone: anybody's name gives numbers as good.
std::string who(const std::string& root) {
  const std::string path = root + "/submission_metadata.json";
  if (!fs::exists(path)) return "somebody";
  const auto metadata = nlohmann::json::parse(read_text(path), nullptr, false);
  const nlohmann::json::json_pointer email("/users/0/email");
  return metadata.is_object() && metadata.contains(email) && metadata[email].is_string()
             ? metadata[email].get<std::string>()
             : "somebody";
}

struct AutograderSettings {
  std::string assignment, key;
  bool trust = false;
};

AutograderSettings read_settings(const std::string& path) {
  AutograderSettings settings;
  std::istringstream lines(read_text(path));
  const auto anything = [](const std::string&) { return std::string(); };
  for (const auto& [key, value] : read_config(lines, path, anything)) {
    if (key == "assignment") settings.assignment = value;
    if (key == "key") settings.key = from_hex(value);
    if (key == "trust") settings.trust = value == "yes";
  }
  return settings;
}

}  // namespace

std::string write_autograder(const Course& course, const Desk& desk, const std::string& number, bool trust) {
  const Assignment& assignment = find_assignment(desk, course, number);
  std::vector<ZippedFile> files = {
      {"setup.sh", template_of(desk, "setup.sh"), true},
      {"run_autograder", template_of(desk, "run_autograder"), true},
      {"autograder.conf", config_line("assignment", assignment.number) +
                              config_line("key", to_hex(course.assignment_key(assignment.number))) +
                              config_line("trust", trust ? "yes" : "no")}};
  add_sources(desk.workshop.root, files);
  const std::string path = course.folder + "/autograder-" + assignment.number + ".zip";
  write_zip(path, files);
  return path;
}

bool run_autograder(const Desk& desk, const std::string& root) {
  make_folder(root + "/results");
  std::string results;
  bool is_graded = false;
  try {
    const AutograderSettings settings = read_settings(root + "/source/autograder.conf");
    const Assignment& assignment =
        assignment_of(desk.assignments, find_parts(desk.assignments, settings.assignment).front());
    if (!settings.trust) require_isolation();
    const ScratchFolder sources;
    const std::string said = gather_parts(desk, assignment, root + "/submission", sources.path());
    results = gradescope_results(grade_folder(desk, assignment, sources.path(), settings.key, who(root)),
                                 "Assignment " + assignment.number + ", " + assignment.title + "\n" + said);
    is_graded = true;
  } catch (const std::exception& error) {
    results = gradescope_results({}, std::string("It could not be graded: ") + error.what() + "\n");
  }
  write_file_atomically(root + "/results/results.json", results);
  std::cout << results;
  return is_graded;
}

std::string write_workflow(const Course& course, const Desk& desk, const std::string& number) {
  const Assignment& assignment = find_assignment(desk, course, number);
  std::string workflow = template_of(desk, "classroom.yml");
  const std::string mark = "@assignment@";
  for (auto at = workflow.find(mark); at != std::string::npos; at = workflow.find(mark))
    workflow.replace(at, mark.size(), assignment.number);
  const std::string path = course.folder + "/classroom-" + assignment.number + ".yml";
  write_file_atomically(path, workflow);
  return path;
}
