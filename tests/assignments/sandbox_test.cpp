// What is read of a program in the sandbox, and how it ends.
#include "sandbox.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
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
}

TEST_CASE("sandbox: that a program cannot be started is no outcome of it, and what it says by 127 is one") {
  CHECK_THROWS_WITH(outcome_of_program({"/nowhere"}),
                    Contains("cannot be started: it is /nowhere: No such file"));
  CHECK(outcome_of_program({"/bin/sh", "-c", "exit 127"}).problem() == "ended with status 127.");
}

TEST_CASE("sandbox: what the machine does to a program is told from what it does itself") {
  Confinement c;
  Outcome outcome;
  outcome.status = 1;
  outcome.output = "fatal error: error writing to x.s: No space left on device";
  CHECK_THROWS_WITH(require_machine(outcome, c),
                    Contains("needs space and memory") && Contains("writing to x.s"));
  outcome.output = "c++: fatal error: Killed signal terminated program cc1plus";
  CHECK_THROWS_WITH(require_machine(outcome, c), Contains("Killed signal"));
  outcome.computing = c.seconds;  // it used all its time
  CHECK_NOTHROW(require_machine(outcome, c));
  outcome = {};
  outcome.signal = SIGKILL;
  CHECK_THROWS(require_machine(outcome, c));
  outcome.timed_out = true;
  CHECK_NOTHROW(require_machine(outcome, c));
  outcome = {};
  outcome.status = 1;
  outcome.output = "error: 'No space' was not declared";
  CHECK_NOTHROW(require_machine(outcome, c));
  CHECK(
      outcome_of_program({"/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"}).computing >
      0);
}

TEST_CASE(
    "sandbox: folders of the libraries that this program uses can be read, others of a person's cannot") {
  // As of conda, whose libraries lie below the home of a person.
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/root";
  const std::string folder = home + "/gradual_sandbox_test_" + std::to_string(getpid());
  for (const char* of_libraries : {"", "/lib"}) {
    const std::string place = folder + of_libraries, library = place + "/library.so",
                      beside = place + "/beside";
    std::filesystem::create_directories(place);
    std::ofstream(beside) << "key";
    Dl_info found{};
    REQUIRE(dladdr(dlsym(RTLD_DEFAULT, "cos"), &found) != 0);
    std::filesystem::copy_file(found.dli_fname, library);
    const Outcome before = outcome_of_program({"/bin/cat", library});
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    const Outcome after = outcome_of_program({"/bin/cat", library}),
                  of_other = outcome_of_program({"/bin/cat", beside});
    if (loaded) dlclose(loaded);
    REQUIRE(loaded);
    CHECK(after.succeeded());
    if (before.layers.find("files") == std::string::npos) continue;
    CHECK(before.status == 1);
    CHECK(of_other.succeeded() == (of_libraries[0] != '\0'));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE(
    "sandbox: of the system's folders those can be read that programs need, and not where people put "
    "theirs") {
  if (outcome_of_program({"/bin/true"}).layers.find("files") == std::string::npos) return;
  CHECK(outcome_of_program({"/bin/ls", "/usr/include"}).succeeded());
  for (const char* folder : {"/opt", "/usr/local", "/usr/src", "/usr/share", "/"})
    CHECK_FALSE(outcome_of_program({"/bin/ls", folder}).succeeded());
}

TEST_CASE("sandbox: no signal can be sent to others, by any of the calls that do it") {
  if (!std::filesystem::exists("/usr/bin/perl")) return;
  const auto status_of = [](const std::string& call) {
    return outcome_of_program(
        {"/usr/bin/perl", "-e", "my $bytes = pack('iiix116', 0, 0, -1); exit((" + call + ") ? 0 : 10 + $!)"});
  };
  const Outcome queued =
      status_of("syscall(" + std::to_string(SYS_rt_sigqueueinfo) + ", $$, 0, $bytes) == 0");
  if (queued.layers.find("calls") == std::string::npos) return;
  constexpr int refused = 10 + EPERM;
  CHECK(queued.status == refused);
  CHECK(status_of("fcntl(STDIN, " + std::to_string(F_SETOWN) + ", getppid())").status == refused);
  CHECK(status_of("fcntl(STDIN, " + std::to_string(F_SETSIG) + ", 9)").status == refused);
  CHECK(status_of("fcntl(STDIN, " + std::to_string(F_GETFD) + ", 0)").status == 0);
  const std::string limits = std::to_string(SYS_prlimit64);
  CHECK(status_of("syscall(" + limits + ", getppid() + 1, 0, 0, $bytes) == 0").status == refused);
  CHECK(status_of("syscall(" + limits + ", 0, 0, 0, $bytes) == 0").status == 0);
}

TEST_CASE("sandbox: of a grader that is told to end no program goes on, and no folder is left") {
  const std::string seconds = std::to_string(200000 + getpid());
  const ScratchFolder place;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t grader = fork();
    if (grader == 0) {
      setenv("TMPDIR", place.path().c_str(), 1);
      try {
        outcome_of_program({"/usr/bin/sleep", seconds});
      } catch (const Interrupted& by) {
        _exit(by.signal);
      }
      _exit(0);
    }
    CHECK(within_five_seconds([&] { return runs_with(seconds); }));
    CHECK_FALSE(std::filesystem::is_empty(place.path()));
    kill(grader, signal);
    int status = 0;
    waitpid(grader, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == signal);
    CHECK(within_five_seconds([&] { return !runs_with(seconds); }));
    CHECK(std::filesystem::is_empty(place.path()));
  }
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
