// Course assignments: starters cut from the library, graded in a sandbox, with what was misunderstood in
// words.
#include <random>

#include "../command_line.hpp"
#include "commands.hpp"

int main(int argc, char** argv) {
  CLI::App app{"Assignments that grade themselves: ./run learn, ./run grade 02.3, ./run hint."};
  app.require_subcommand(1);
  Course course;
  std::string part, file;
  bool all = false;
  course.folder = GRADUAL_ROOT "/coursework";
  course.other_seed = std::random_device()();
  const auto command = [&](const std::string& name, const std::string& what) {
    CLI::App* sub = app.add_subcommand(name, what);
    sub->add_option("part", part, "an assignment as 02, a part as 02.3; all where it is left out");
    sub->add_option("--work", course.folder, "the folder that you write in")->capture_default_str();
    return sub;
  };
  CLI::App* grading = command("grade", "grade what is there");
  grading->add_option("--file", file, "grade this file as the part");
  add_seed(*grading, course.seed, "decides the numbers of the first half of the cases");
  grading->add_option("--other-seed", course.other_seed, "those of the second half; another one each time");
  command("learn", "the next part, graded whenever you save it");
  command("hint", "the next hint on the part, or on the first that is not done")
      ->add_flag("--all", all, "all three");
  return run_program("assignments", app, [&] {
    app.parse(argc, argv);
    course.workshop = read_workshop(GRADUAL_WORKSHOP);
    course.assignments = read_assignments(course.workshop.assignments);
    if (app.got_subcommand("learn")) return learn(course, part), 0;
    if (app.got_subcommand("hint")) return hint(course, part, all), 0;
    return grade(course, part, file) ? 0 : 1;
  });
}
