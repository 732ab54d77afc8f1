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

// What the build needs of a checkout: neither what it made, nor what people made in it, nor the book.
void add_sources(const std::string& root, std::vector<ZippedFile>& files) {
  const std::vector<std::string> left_out = {"build", "out", "coursework", "courses", "site", "docs"};
  std::vector<std::string> paths;
  for (const auto& top : fs::directory_iterator(root)) {
    const std::string name = top.path().filename().string();
    if (name[0] == '.' || std::count(left_out.begin(), left_out.end(), name) != 0 || top.is_symlink())
      continue;
    if (top.is_regular_file()) paths.push_back(top.path().string());
    if (!top.is_directory()) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top.path()))
      if (entry.is_regular_file() && !entry.is_symlink()) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::string bytes;
    if (fs::file_size(path) > 0) bytes = read_text(path);
    const bool is_program = (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    files.push_back({"gradual/" + fs::relative(path, root).string(), std::move(bytes), is_program});
  }
}

// The parts that were handed in, as files in a folder: from a submission, else from files of the parts'
// names.
void gather_parts(const Desk& desk, const Assignment& assignment, const std::string& from,
                  const std::string& to) {
  std::vector<std::string> submissions;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json") submissions.push_back(entry.path().string());
    for (const Part& part : assignment.parts)
      if (name == part.file() && entry.file_size() < (1 << 20))
        fs::copy_file(entry.path(), to + "/" + name, fs::copy_options::overwrite_existing);
  }
  std::sort(submissions.begin(), submissions.end());
  for (const std::string& path : submissions) {
    const std::string name = fs::path(path).filename().string();
    const Submission submission = parse_submission(read_text(path), name);
    if (submission.assignment != assignment.number)
      throw FileError(name, "is of assignment " + submission.assignment + "; this is " + assignment.number);
    check_version(submission, desk.workshop, desk.assignments, name);
    write_parts(submission, assignment, to);
  }
  if (fs::is_empty(to))
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
    gather_parts(desk, assignment, root + "/submission", sources.path());
    results = gradescope_results(grade_folder(desk, assignment, sources.path(), settings.key, who(root)),
                                 "Assignment " + assignment.number + ", " + assignment.title + "\n");
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
