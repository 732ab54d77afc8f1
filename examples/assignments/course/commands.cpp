#include "commands.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>

#include <gradual/core/files/atomic_file.hpp>

#include "../../command_line.hpp"
#include "autograder.hpp"
#include "class_page.hpp"
#include "collect.hpp"

using namespace gradual;

namespace {

constexpr std::size_t most_lines = 40;

void print_collected(const Course& course, const std::vector<Found>& found) {
  const std::vector<Found> refused = not_taken(found);
  for (std::size_t i = 0; i < std::min(most_lines, refused.size()); ++i)
    std::cout << "not taken  " << refused[i].place << ": " << refused[i].problem << "\n";
  if (refused.size() > most_lines)
    std::cout << "not taken  … and " << refused.size() - most_lines << " more\n";
  const auto taken =
      std::count_if(found.begin(), found.end(), [](const Found& each) { return each.problem.empty(); });
  std::cout << taken << " taken, " << found.size() - static_cast<std::size_t>(taken) << " not; all are in "
            << course.folder << "/collected.csv\n";
}

void grade_and_write(const Course& course, const CourseSettings& settings, const Desk& desk) {
  if (!settings.assignment.empty()) check_assignment(course, settings.assignment);
  if (!settings.trust) {
    require_isolation();
    require_secrecy(desk.workshop, course.folder + "/key");
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Result> results = grade_course(course, desk, settings.assignment, settings.jobs);
  write_file_atomically(course.folder + "/grades.csv", grades_csv(course, results));
  write_file_atomically(course.folder + "/class.html", class_page(course, desk, results, read_found(course)));
  std::size_t graded = 0, failed = 0, waiting = 0;
  for (const Result& each : results) {
    const bool is_meant = settings.assignment.empty() || each.assignment == settings.assignment;
    if (each.is_graded && is_meant) ++graded;
    if (each.is_handed_in && !each.is_graded) ++(is_meant ? failed : waiting);
  }
  std::cout << graded << (graded == 1 ? " submission" : " submissions") << " graded in " << std::fixed
            << std::setprecision(1)
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()
            << " s\npoints  " << course.folder << "/grades.csv\npage    " << course.folder
            << "/class.html\neach    " << course.folder << "/results/\n";
  if (waiting > 0)
    std::cout << waiting << " of other assignments, collected since these were graded, have no points yet\n";
  if (failed > 0) throw std::runtime_error("course grade: not everything could be graded; see above");
}

}  // namespace

void add_course_commands(CLI::App& course, CourseSettings& s) {
  course.require_subcommand(1);
  const auto add = [&](const std::string& name, const std::string& what) {
    CLI::App* command = course.add_subcommand(name, what);
    command->add_option("course", s.name, "its name, as ml26")->required();
    command->add_option("--courses", s.folder, "the folder that courses are in")
        ->type_name("FOLDER")
        ->capture_default_str();
    return command;
  };
  CLI::App* make = add("new", "make a course, or give one a new roster: its seeds stay");
  make->add_option("--roster", s.roster, "a table with the columns id, name, email")
      ->type_name("FILE")
      ->required();
  make->add_option("--assignments", s.assignments,
                   "as 01-05 or 01,03; all where it is left out, or those that it has");
  add("collect", "take what students handed in")
      ->add_option("inbox", s.inbox, "a folder or an archive, as learning platforms make them")
      ->required();
  CLI::App* grade = add("grade", "grade what was collected");
  grade->add_option("--assignment", s.assignment, "this one alone");
  Options(*grade).between("jobs", s.jobs, 1, 64, "parts that are graded at the same time");
  grade->add_flag("--trust", s.trust, "grade where the sandbox does not keep files or the network, too");
  CLI::App* gradescope = add("gradescope", "make an autograder for Gradescope");
  gradescope->add_option("assignment", s.assignment, "as 02")->required();
  gradescope->add_flag("--trust", s.trust, "it grades where the container gives no sandbox, too");
  add("classroom", "make a workflow for GitHub Classroom")
      ->add_option("assignment", s.assignment, "as 02")
      ->required();
  course.add_subcommand("autograde", "what the autograder runs")->add_option("root", s.root, "/autograder");
}

int run_course(const CLI::App& course, const CourseSettings& s, const Desk& desk) {
  if (course.got_subcommand("autograde")) return run_autograder(desk, s.root) ? 0 : 1;
  const std::string folder = s.folder + "/" + s.name;
  if (course.got_subcommand("new")) {
    const Course made = make_course(folder, s.name, s.roster, s.assignments, desk.assignments);
    std::cout << made.roster.size() << " students, " << made.assignments.size()
              << " assignments\ngive each of them  " << folder << "/students/<id>/student.conf\n";
    return 0;
  }
  const Course opened = open_course(folder);
  if (course.got_subcommand("collect"))
    print_collected(opened, collect(opened, s.inbox, desk.workshop, desk.assignments));
  else if (course.got_subcommand("grade"))
    grade_and_write(opened, s, desk);
  else if (course.got_subcommand("gradescope"))
    std::cout << write_autograder(opened, desk, s.assignment, s.trust) << "\n";
  else
    std::cout << write_workflow(opened, desk, s.assignment) << "\n";
  return 0;
}
