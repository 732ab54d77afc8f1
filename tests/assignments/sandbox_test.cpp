// What is read of a program in the sandbox, and how it ends.
#include "sandbox.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "support/catch.hpp"
#include "workshop.hpp"

namespace {

Outcome outcome_of_program(const std::vector<std::string>& command) {
  const ScratchFolder scratch;
  Confinement c;
  c.seconds = 20;
  c.writable = scratch.path();
  return run_confined(command, c);
}

// Whether a process has this among its arguments.
bool runs_with(const std::string& argument) {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    for (std::string each; std::getline(file, each, '\0');)
      if (each == argument) return true;
  }
  return false;
}

bool within_five_seconds(const std::function<bool()>& is_so) {
  for (int i = 0; i < 500 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return is_so();
}

}  // namespace

TEST_CASE("sandbox: of a talkative program the beginning and the end are kept") {
  const Outcome outcome = outcome_of_program({"/usr/bin/seq", "1000000"});  // 6.9 MB
  CHECK(outcome.succeeded());
  CHECK(outcome.problem().empty());
  CHECK(outcome.output.size() == 65536);
  CHECK(outcome.output.rfind("1\n2\n3\n", 0) == 0);
  CHECK(outcome.output.substr(outcome.output.size() - 15) == "999999\n1000000\n");
}

TEST_CASE("sandbox: a program that prints without end is ended by what it printed, before its time is over") {
  const Outcome outcome = outcome_of_program({"/usr/bin/yes"});
  CHECK_FALSE(outcome.succeeded());
  CHECK(outcome.had_no_end());
  CHECK(outcome.problem() == "printed more than 64 MB and was ended: does a loop ever end?");
  CHECK(outcome.output.size() == 65536);
}

TEST_CASE("sandbox: a program may print nothing, or fail, and it is told which") {
  CHECK(outcome_of_program({"/usr/bin/true"}).succeeded());
  CHECK(outcome_of_program({"/usr/bin/false"}).problem() == "ended with status 1.");
  CHECK(outcome_of_program({"/nowhere"}).status == 127);
}

TEST_CASE("sandbox: of a grader that is killed no program goes on") {
  const std::string seconds = std::to_string(100000 + getpid());
  const pid_t grader = fork();
  if (grader == 0) {
    outcome_of_program({"/usr/bin/sleep", seconds});
    _exit(0);
  }
  CHECK(within_five_seconds([&] { return runs_with(seconds); }));
  kill(grader, SIGKILL);
  waitpid(grader, nullptr, 0);
  CHECK(within_five_seconds([&] { return !runs_with(seconds); }));
}
