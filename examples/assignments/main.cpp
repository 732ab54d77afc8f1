// Course assignments: starters cut from the library, graded in a sandbox, with what was misunderstood in
// words.
#include <csignal>
#include <iostream>
#include <random>

#include "../command_line.hpp"
#include "commands.hpp"
#include "notebook.hpp"
#ifdef GRADUAL_COURSE
#include "course/commands.hpp"
#endif

namespace {

struct Arguments {
  Desk desk;
  GradeSettings grade;
  bool all = false;
  std::uint64_t seed = 0;
};

CLI::App* add_command(CLI::App& app, Arguments& a, const std::string& name, const std::string& what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("part", a.grade.part, "an assignment as 02, a part as 02.3; all where it is left out");
  command->add_option("--work", a.desk.folder, "the folder that you write in")
      ->type_name("FOLDER")
      ->check(not_empty())
      ->capture_default_str();
  return command;
}

void add_grade(CLI::App& app, Arguments& a) {
  CLI::App* command = add_command(app, a, "grade", "grade what is there");
  command->add_option("--file", a.grade.file, "grade this file as the part")->type_name("FILE");
  command->add_flag("--together", a.grade.together,
                    "then put all your parts into the translator, and train it");
  command->add_option("--seed", a.seed, "decides the numbers of the first half of the cases")
      ->transform(not_below_zero(a.seed))
      ->default_str("the course's for you, or 1");
  Options(*command)
      .not_negative("other-seed", a.desk.other_seed, "decides those of the second half")
      ->default_str("another one each time");
  command->add_option("--gradescope", a.grade.gradescope, "write Gradescope's results.json to this file")
      ->type_name("FILE");
  command->add_option("--classroom", a.grade.classroom, "write what GitHub Classroom's reporter reads")
      ->type_name("FILE");
  command->add_option("--junit", a.grade.junit, "write JUnit XML")->type_name("FILE");
  command->add_option("--csv", a.grade.csv, "write a table")->type_name("FILE");
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine app{
      "Assignments that grade themselves: ./run learn, ./run grade 02.3, ./run hint, ./run submit 02.",
      "assignments"};
  app.require_subcommand(1);
  Arguments a;
  a.desk.folder = GRADUAL_ROOT "/coursework";
  a.desk.other_seed = std::random_device()();
  add_grade(app, a);
  add_command(app, a, "learn", "the next part, graded whenever you save it");
  add_command(app, a, "hint", "the next hint on the part, or on the first that is not done")
      ->add_flag("--all", a.all, "all three");
  add_command(app, a, "submit", "grade an assignment, and write what is handed in");
  add_command(app, a, "notebook", "write an assignment as a notebook, beside your files");
  CLI::App* course =
      app.add_subcommand("course", "for who teaches: new, collect, grade, gradescope, classroom");
#ifdef GRADUAL_COURSE
  CourseSettings course_settings;
  add_course_commands(*course, course_settings);
#endif
  const auto run = [&] {
    app.parse(argc, argv);
    Desk& desk = a.desk;
    desk.workshop = read_workshop(GRADUAL_WORKSHOP);
    desk.workshop.own_cache = desk.folder + "/.cache";
    desk.assignments = read_assignments(desk.workshop.assignments);
    if (app.got_subcommand("grade") && app.get_subcommand("grade")->count("--seed") > 0) desk.seed = a.seed;
    if (app.got_subcommand("learn")) return learn(desk, a.grade.part), 0;
    if (app.got_subcommand("hint")) return hint(desk, a.grade.part, a.all), 0;
    if (app.got_subcommand("submit")) return submit(desk, a.grade.part), 0;
    if (app.got_subcommand("notebook")) return std::cout << write_notebook(desk, a.grade.part) << "\n", 0;
#ifdef GRADUAL_COURSE
    if (*course) return run_course(*course, course_settings, desk);
#else
    if (*course)
      throw std::runtime_error(
          "this build has no courses: they need libarchive and OpenSSL (Debian: libarchive-dev, libssl-dev)");
#endif
    return grade(desk, a.grade) ? 0 : 1;
  };
  try {
    return run_program("assignments", app, run);
  } catch (const Interrupted& by) {  // its folders are gone; now it ends as it was told
    std::signal(by.signal, SIG_DFL);
    return std::raise(by.signal);
  }
}
