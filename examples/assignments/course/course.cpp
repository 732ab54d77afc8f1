#include "course.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/folder.hpp>

#include "../assignment.hpp"
#include "keyed_hash.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

void check_name(const std::string& name) {
  const bool fits =
      !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
          std::string::npos;
  if (!fits)
    throw std::invalid_argument(
        "course: a name is up to 64 letters a to z, digits and . _ -, as it names a folder: got \"" + name +
        "\"");
}

std::vector<std::string> assignments_in(const std::string& wanted, const std::vector<Assignment>& known) {
  std::vector<std::string> all, chosen;
  for (const Assignment& assignment : known) all.push_back(assignment.number);
  if (wanted.empty()) return all;
  const auto place_of = [&](const std::string& number) {
    const auto found = std::find(all.begin(), all.end(), number);
    if (found != all.end()) return found;
    std::string there;
    for (const std::string& each : all) there += " " + each;
    throw std::invalid_argument("course: there is no assignment " + number + "; there are" + there);
  };
  for (const std::string& piece : list_of(wanted, ',')) {
    const auto dash = piece.find('-');
    const auto first = place_of(piece.substr(0, dash)),
               last = dash == std::string::npos ? first : place_of(piece.substr(dash + 1));
    if (last < first)
      throw std::invalid_argument("course: assignments are named from first to last: got " + piece);
    chosen.insert(chosen.end(), first, last + 1);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<ConfigLine> settings_in(const std::string& folder) {
  const std::string path = folder + "/course.conf";
  std::istringstream lines(read_text(path));
  const auto problem = [](const std::string& key) -> std::string {
    return key == "name" || key == "assignments" ? "" : "a course has no such setting";
  };
  return read_config(lines, path, problem);
}

// Of a course that is there.
std::vector<std::string> assignments_of(const std::string& folder) {
  for (const auto& [key, value] : settings_in(folder))
    if (key == "assignments") return list_of(value, ',');
  return {};
}

std::string read_key(const std::string& path) {
  std::string digits = read_text(path);
  digits.erase(digits.find_last_not_of(" \r\n") + 1);
  try {
    const std::string key = from_hex(digits);
    if (key.size() == key_bytes) return key;
  } catch (const std::invalid_argument&) {  // said below
  }
  throw FileError(path, "is no key: a key is the 64 digits 0 to f that ./run course new wrote");
}

std::string student_settings(const Course& course, const Enrolled& person) {
  std::string text = "# Who you are, for " + course.name +
                     ". Put this file into coursework/; ./run grade then draws your own numbers.\n" +
                     config_line("course", course.name) + config_line("student", person.id) +
                     config_line("name", person.name);
  for (const std::string& assignment : course.assignments)
    text += config_line("seed_" + assignment,
                        std::to_string(practice_seed(course.assignment_key(assignment), person.id)));
  return text;
}

}  // namespace

std::string Course::assignment_key(const std::string& assignment) const {
  return keyed_hash(key, "assignment/" + assignment);
}

std::uint64_t practice_seed(const std::string& assignment_key, const std::string& student) {
  return keyed_seed(assignment_key, "practice/" + student);
}

std::uint64_t official_seed(const std::string& assignment_key, const std::string& student) {
  return keyed_seed(assignment_key, "official/" + student);
}

Course make_course(const std::string& folder, const std::string& name, const std::string& roster,
                   const std::string& wanted, const std::vector<Assignment>& known) {
  check_name(name);
  Course course;
  course.folder = folder;
  course.name = name;
  course.roster = read_roster(roster);
  const bool is_there = fs::exists(folder + "/course.conf");
  course.assignments = wanted.empty() && is_there ? assignments_of(folder) : assignments_in(wanted, known);
  make_folder(folder);
  fs::permissions(folder, fs::perms::owner_all);  // before there is a key in it
  const bool is_new = !fs::exists(folder + "/key");
  if (is_new && is_there)
    throw FileError(folder + "/key",
                    "is missing, and all seeds follow from it: put it back; another one would give everybody "
                    "other numbers. To begin anew, remove " +
                        folder + "/course.conf");
  course.key = is_new ? new_key() : read_key(folder + "/key");
  if (is_new) write_file_atomically(folder + "/key", to_hex(course.key) + "\n");
  std::string list;
  for (const std::string& assignment : course.assignments) list += (list.empty() ? "" : ", ") + assignment;
  write_file_atomically(folder + "/course.conf",
                        config_line("name", name) + config_line("assignments", list));
  write_file_atomically(folder + "/roster.csv", roster_csv(course.roster));
  for (const Enrolled& person : course.roster) {
    const std::string own = folder + "/students/" + person.id;
    make_folder(own);
    write_file_atomically(own + "/student.conf", student_settings(course, person));
  }
  return course;
}

Course open_course(const std::string& folder) {
  const std::string path = folder + "/course.conf";
  if (!fs::exists(path))
    throw FileError(folder, "is no course: ./run course new NAME --roster FILE makes one");
  Course course;
  course.folder = folder;
  for (const auto& [key, value] : settings_in(folder)) {
    if (key == "name") course.name = value;
    if (key == "assignments") course.assignments = list_of(value, ',');
  }
  course.key = read_key(folder + "/key");
  course.roster = read_roster(folder + "/roster.csv");
  return course;
}

void check_assignment(const Course& course, const std::string& number) {
  if (std::count(course.assignments.begin(), course.assignments.end(), number) != 0) return;
  std::string there;
  for (const std::string& each : course.assignments) there += " " + each;
  throw std::invalid_argument("course: " + course.name + " has no assignment " +
                              (number.empty() ? "\"\"" : number) + "; it has" + there);
}
