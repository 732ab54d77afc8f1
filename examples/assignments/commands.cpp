#include "commands.hpp"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>

#include "exports.hpp"
#include "library_text.hpp"
#include "report.hpp"
#include "submission.hpp"
#include "together.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::ostringstream text;
  text << std::put_time(std::gmtime(&seconds), "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

void write_exports(const GradeSettings& settings, const std::vector<Mark>& marks, const std::string& report) {
  const auto write = [](const std::string& path, const std::string& content) {
    if (!path.empty()) write_file_atomically(path, content);
  };
  const std::string name = settings.part.empty() ? "assignments" : "assignment " + settings.part;
  write(settings.gradescope, gradescope_results(marks, report));
  write(settings.classroom, classroom_results(marks));
  write(settings.junit, junit_xml(name, marks));
  write(settings.csv, marks_csv(marks));
}

// Every part of the assignment on the student's file.
std::vector<Verdict> verdicts_on(const Desk& desk, const Coursework& work, const Assignment& assignment) {
  std::vector<Verdict> verdicts;
  work.prepare(assignment);
  for (const Part& part : assignment.parts) verdicts.push_back(judged_own(desk, work, part));
  return verdicts;
}

}  // namespace

const Assignment& whole_assignment(const Desk& desk, const std::string& name) {
  for (const Assignment& assignment : desk.assignments)
    if (assignment.number == name) return assignment;
  std::string known;
  for (const Assignment& assignment : desk.assignments) known += " " + assignment.number;
  throw std::invalid_argument("a whole assignment is meant, as 02: got " + (name.empty() ? "none" : name) +
                              ", and the assignments are" + known);
}

Verdict judged(const Desk& desk, const Part& part, const std::string& file) {
  const auto own = Coursework(desk.workshop, desk.folder).student().seeds;
  const auto found = own.find(part.assignment);
  const std::uint64_t seed = desk.seed.value_or(found == own.end() ? 1 : found->second);
  return judge(desk.workshop, desk.assignments, part, read_text(file), seed, desk.other_seed);
}

Verdict judged_own(const Desk& desk, const Coursework& work, const Part& part) {
  const Assignment& assignment = assignment_of(desk.assignments, part);
  const Verdict verdict = judged(desk, part, work.file_of(assignment, part));
  if (verdict.state == Verdict::State::right) work.note_passed(part, verdict.file);
  return verdict;
}

std::optional<Part> first_to_do(const Desk& desk, const Coursework& work, const std::vector<Part>& parts) {
  for (const Part& part : parts)
    if (!work.has_passed(assignment_of(desk.assignments, part), part)) return part;
  return std::nullopt;
}

void print_difference(const Desk& desk, const Verdict& verdict) {
  const Part& part = verdict.part;
  if (part.goal) return;
  std::string yours = verdict.file;
  try {
    yours = definition_of(yours, part.signature, part.file());
  } catch (const std::invalid_argument&) {  // laid out in another way: then all of it
  }
  std::cout << "\n"
            << fitted("yours (-) beside the library's (+), " + part.readable() + ":") << "\n"
            << visible(difference(yours, solution(part, readable_source(desk.workshop, part)))) << "\n";
}

bool grade(const Desk& desk, const GradeSettings& settings) {
  const std::vector<Part> parts = find_parts(desk.assignments, settings.part);
  if (!settings.file.empty() && parts.size() != 1)
    throw std::invalid_argument("--file is for one part, as 02.3: got " + settings.part);
  if (!settings.file.empty() && settings.together)
    throw std::invalid_argument(
        "--together takes the parts of your folder, and --file is none of them: got " + settings.file);
  const Coursework work(desk.workshop, desk.folder);
  const bool is_own = settings.file.empty();
  bool all_right = true;
  std::ostringstream report;
  std::vector<Mark> marks;
  std::optional<Verdict> right;  // of one part, to be shown beside the library's
  for (const Assignment& assignment : desk.assignments) {
    std::vector<Verdict> verdicts;
    for (const Part& part : parts) {
      if (part.assignment != assignment.number) continue;
      if (is_own && verdicts.empty()) work.prepare(assignment);
      const std::string file = is_own ? work.file_of(assignment, part) : settings.file;
      verdicts.push_back(is_own ? judged_own(desk, work, part) : judged(desk, part, file));
      marks.push_back(mark_of(verdicts.back(), verdicts.back().file));
      if (parts.size() == 1 && verdicts.back().state == Verdict::State::right) right = verdicts.back();
      all_right = all_right && verdicts.back().state == Verdict::State::right;
    }
    if (verdicts.empty()) continue;
    std::ostringstream text;
    print_report(text, assignment, verdicts);
    report << text.str();
    print_report(std::cout, assignment, verdicts, columns_to_fit());
    std::cout << std::flush;
    if (settings.together) {
      const Milestone reached = milestone(desk.workshop, assignment, work);
      std::cout << reached.text;
      report << reached.text;
      all_right = all_right && reached.is_reached;
    }
  }
  write_exports(settings, marks, report.str());
  if (right && all_right) print_difference(desk, *right);
  return all_right;
}

void hint(const Desk& desk, const std::string& name, bool all) {
  const Coursework work(desk.workshop, desk.folder);
  std::vector<Part> parts = find_parts(desk.assignments, name);
  if (const auto next = first_to_do(desk, work, parts)) parts = {*next};
  const Part& part = parts.front();
  const Assignment& assignment = assignment_of(desk.assignments, part);
  work.prepare(assignment);
  const std::vector<std::string> hints = read_hints(assignment, part);
  const bool were_all_given = work.hints_given(part) == 3;
  if (!all) work.note_hint(part);
  const int last = all ? 3 : work.hints_given(part);
  std::cout << part.number() << "  " << assignment.title << ": " << part.title << "\n";
  for (int i = 0; i < last; ++i)
    std::cout << "\n" << fitted(std::to_string(i + 1) + ". " + hints[static_cast<std::size_t>(i)]) << "\n";
  if (last < 3) std::cout << "\n(" << 3 - last << " more: ask again)\n";
  if (were_all_given && !all) std::cout << "\n(these are all)\n";
}

void submit(const Desk& desk, const std::string& name) {
  const Assignment& assignment = whole_assignment(desk, name);
  const Coursework work(desk.workshop, desk.folder);
  const Student student = work.student();
  const std::vector<Verdict> verdicts = verdicts_on(desk, work, assignment);
  std::ostringstream report;
  print_report(report, assignment, verdicts);
  Submission submission;
  submission.assignment = assignment.number;
  submission.course = student.course;
  submission.student = student.id;
  submission.made = now();
  submission.report = report.str();
  for (const Verdict& each : verdicts)
    submission.parts.push_back({each.part.number(), each.file, starter_print(desk.workshop, each.part)});
  const std::string path =
      fs::path(work.file_of(assignment, assignment.parts.front())).parent_path().string() + "/" +
      assignment.number + ".submission.json";
  write_file_atomically(path, submission_text(submission));
  print_report(std::cout, assignment, verdicts, columns_to_fit());
  std::cout << "\nHand in this file: " << path << "\n"
            << fitted(student.id.empty()
                          ? "It names nobody: the course will know you by where you hand it in. "
                            "With student.conf, which an instructor gives you, beside the "
                            "folders of the assignments, it names you."
                          : "It is " + student.id + "'s, for " + student.course + ".")
            << "\n";
}
