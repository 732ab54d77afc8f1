// Parts in which a translator is trained within a budget.
#include "within_budget.hpp"

#include <cmath>
#include <sstream>

#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>

#include "report.hpp"
#include "support/catch.hpp"
#include "training_run.hpp"

using namespace gradual;

namespace {

const Workshop& built_workshop() {
  static const Workshop the_one = read_workshop(GRADUAL_WORKSHOP);
  return the_one;
}

Part goal_part(const std::string& number) {
  return find_parts(read_assignments(built_workshop().assignments), number).front();
}

Verdict judged_settings(const std::string& number, const std::string& settings) {
  return judge(built_workshop(), {}, goal_part(number), settings, 1, 2);
}

// A loss for each of a hundred steps.
template <class Curve>
std::vector<double> curve(Curve loss) {
  std::vector<double> losses;
  for (int step = 0; step < 100; ++step) losses.push_back(loss(step));
  return losses;
}

}  // namespace

TEST_CASE("budget: settings are read with care, and what asks for too much is not trained") {
  CHECK(judged_settings("09.1", settings_starter(goal_part("09.1"))).state == Verdict::State::undone);
  for (const char* setting :
       {"seed = 7", "tsv = mine.tsv", "out = /somewhere", "model = lstm", "colour = blue"}) {
    const Verdict verdict = judged_settings("09.1", std::string(setting) + "\n");
    INFO(setting);
    CHECK(verdict.state == Verdict::State::errors);
    CHECK(verdict.problem.find("1_translator.conf:1") !=
          std::string::npos);  // the name that the student knows
    CHECK(verdict.problem.find(std::string(setting, std::string(setting).find(' ')) + " is not yours") !=
          std::string::npos);
  }
  for (const char* steps : {"many", "-5", "0", "99999999999999999999", "1e9"}) {
    const Verdict verdict = judged_settings("09.1", "steps = " + std::string(steps) + "\n");
    INFO(steps);
    CHECK(verdict.state == Verdict::State::errors);
    CHECK(verdict.problem == "steps must be a whole number from 1 on: got " + std::string(steps) + "\n");
  }
  const Verdict greedy = judged_settings("09.1", "steps = 1000\nbatch-tokens = 1024\naccumulate = 2\n");
  CHECK(greedy.state == Verdict::State::refused);
  CHECK(greedy.problem.find("It asks for 2048000 tokens") == 0);
  // 2^64, which an Index counts as 0.
  const Verdict beyond =
      judged_settings("09.1", "steps = 4194304\nbatch-tokens = 4194304\naccumulate = 1048576\n");
  CHECK(beyond.state == Verdict::State::refused);
  CHECK(beyond.problem.find("It asks for 9223372036854775807 tokens") == 0);
  CHECK(judged_settings("09.1", "warmup = 10\n").state ==
        Verdict::State::refused);  // the preset's 2000 steps
}

TEST_CASE("budget: the translator is made once, and settings without one are not judged") {
  const ScratchFolder scratch;
  Workshop workshop = built_workshop();
  workshop.build = scratch.path();
  workshop.cache = scratch.path() + "/assignments";
  workshop.cmake = scratch.path() + "/cmake";  // says that all is well, and makes nothing
  write_file_atomically(workshop.cmake, "#!/bin/sh\necho made >> " + scratch.path() + "/calls\n");
  std::filesystem::permissions(workshop.cmake, std::filesystem::perms::owner_all);
  const auto judged = [&] {
    return judge(workshop, {}, goal_part("09.1"), "steps = 20\nbatch-tokens = 256\n", 1, 2);
  };
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_WITH(judged(), Contains("cannot be started") && Contains("/bin/translate: No such file"));
  CHECK(read_text(scratch.path() + "/calls") == "made\n");
  for (int i = 0; i < 2; ++i) make_target(workshop, "translate_together");  // of other parts each time
  CHECK(read_text(scratch.path() + "/calls") == "made\nmade\nmade\n");
}

TEST_CASE("budget: where the build is another's, its translator is used as it is") {
  const ScratchFolder scratch;
  Workshop shared = built_workshop();
  shared.build = "/dev/null/build";
  CHECK_THROWS_WITH(make_target(shared, "translate"),
                    Contains("/dev/null/build/bin/translate: is missing") &&
                        Contains("its owner makes it by cmake --build /dev/null/build"));
  make_folder(scratch.path() + "/bin");
  write_file_atomically(scratch.path() + "/bin/translate", "#!/bin/sh\n");
  shared.build = scratch.path();
  shared.cmake = "/bin/false";
  std::filesystem::permissions(scratch.path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (!can_write_build(shared)) CHECK_NOTHROW(make_target(shared, "translate"));  // root writes anywhere
  std::filesystem::permissions(scratch.path(), std::filesystem::perms::owner_all);
}

TEST_CASE("budget: each part has three hints, and goals are read with care") {
  const std::vector<Assignment> all = read_assignments(built_workshop().assignments);
  for (const Part& part : find_parts(all, "09"))
    CHECK(read_hints(assignment_of(all, part), part).size() == 3);
  const ScratchFolder scratch;
  make_folder(scratch.path() + "/50-x");
  for (const char* goal :
       {"gru", "gru, BLEU 40, 300000 tokens", "gru, BLEU many, 300000 tokens, 1 parameters"}) {
    write_file_atomically(
        scratch.path() + "/50-x/parts.ini",
        "title = x\n1.name = x\n1.title = x\n1.task = x\n1.points = 1\n1.goal = " + std::string(goal) + "\n");
    CHECK_THROWS_WITH(read_assignments(scratch.path()), Contains("a goal is as") && Contains(goal));
  }
}

TEST_CASE("budget: a run that falls short says what can be learnt from its loss") {
  const Goal goal{60, 300'000, 200'000, "transformer"};
  const auto lesson = [&](const std::vector<double>& losses, Index tokens = 300'000,
                          Index parameters = 190'000) { return lesson_of(goal, losses, tokens, parameters); };
  CHECK(lesson(curve([](int) { return 6.0; })).find("hardly fallen") != std::string::npos);
  CHECK(lesson(curve([](int s) { return 6 + 0.1 * s; })).find("rose above") != std::string::npos);
  CHECK(lesson(curve([](int s) { return s == 0 ? 6.0 : std::nan(""); })).find("rose above") !=
        std::string::npos);
  CHECK(lesson(curve([](int s) { return s < 50 ? 6 - 0.1 * s : 3.0; })).find("fell and rose") !=
        std::string::npos);
  const auto falls = curve([](int s) { return 1 + 5 * std::exp(-s / 10.0); });
  CHECK(lesson(falls, 150'000).find("tokens are left") != std::string::npos);
  CHECK(lesson(curve([](int s) { return 6 - 0.05 * s; })).find("still falling") != std::string::npos);
  CHECK(lesson(falls, 300'000, 20'000).find("parameters are used") != std::string::npos);
  CHECK(lesson(falls).empty());
  CHECK(lesson({6, 5, 4}).find("few steps") != std::string::npos);
  CHECK(lesson({}).find("few steps") != std::string::npos);
}

TEST_CASE("budget: good settings reach their goal, and of poor ones it is said why not", "[trains]") {
  const std::string many =
      "batch-tokens = 256\nsteps = 1160\nwarmup = 200\nlearning-rate = 0.003\ndropout = 0\n";
  const Verdict good = judged_settings("09.2", many + "width = 32\nfeed-forward = 64\n");
  INFO(good.problem << good.diagnosis << good.evidence);
  CHECK(good.points() == 5);
  const Verdict wide = judged_settings("09.2", "steps = 20\nbatch-tokens = 256\nwidth = 64\n");
  CHECK(wide.state == Verdict::State::refused);
  CHECK(wide.problem.find("parameters, of at most 60000") != std::string::npos);
  const Verdict slow = judged_settings(
      "09.2", "steps = 60\nbatch-tokens = 512\nwidth = 32\nfeed-forward = 64\nlearning-rate = 0.0001\n");
  CHECK(slow.state == Verdict::State::wrong);
  CHECK(slow.diagnosis.find("hardly fallen") != std::string::npos);
  const Verdict odd = judged_settings("09.2", "steps = 20\nwidth = 30\nheads = 4\nbatch-tokens = 256\n");
  CHECK(odd.points() == 0);
  CHECK(odd.problem.find("heads") != std::string::npos);  // what the translator itself says
  std::ostringstream report;
  print_verdict(report, odd);
  CHECK(report.str().find("smallest case") == std::string::npos);
}
