#include "sandbox.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "sandbox_layers.hpp"

namespace {

constexpr std::size_t most_kept = 1 << 16;      // bytes of what a program prints
constexpr std::size_t most_written = 64 << 20;  // to its screen, or to a file
constexpr int patience = 10;  // seconds for each second of computing: a busy machine is not a student's fault

using Clock = std::chrono::steady_clock;

enum Layer : unsigned char { limits = 1, calls = 2, files = 4, namespaces = 8 };

// What is killed from outside leaves nothing running.
void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

volatile std::sig_atomic_t interrupted_by = 0;

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
struct sigaction actions_before[std::size(ending_signals)];
int noted_scopes = 0;

// What a child says of itself, through a pipe that no program inherits.
struct Report {
  unsigned char active = 0;  // layers
  int error = 0;             // why the program could not be started
};

void send(int to, const Report& report) {
  [[maybe_unused]] const auto written = write(to, &report, sizeof report);
}

// What runs in the child, up to exec. Nothing here may throw.
[[noreturn]] void become(const std::vector<std::string>& command, const Confinement& c, unsigned char active,
                         int report) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(c.seconds));
  limit(RLIMIT_AS, c.memory);
  limit(RLIMIT_FSIZE, most_written);
  limit(RLIMIT_NOFILE, 64);
  active |= limits;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  end_with_parent();
  if (restrict_files(c.readable, c.writable)) active |= files;
  if (!c.may_start_processes && filter_calls()) active |= calls;
  send(report, {active, 0});
  std::vector<char*> arguments, environment;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  for (const std::string& each : c.environment) environment.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  execve(arguments[0], arguments.data(), environment.data());
  send(report, {active, errno});
  _exit(127);
}

// The first process of the new namespaces, whose end is the end of all others there. It hands on how the
// program ended, which is not the first process itself: signals that nobody handles do not end that one.
[[noreturn]] void start(const std::vector<std::string>& command, const Confinement& c, int report) {
  setpgid(0, 0);
  unsigned char active = 0;
  const bool enclosed = enter_namespaces(c.writable);
  end_with_parent();  // to enter namespaces undoes it
  if (enclosed) {
    active |= namespaces;
    const pid_t first = fork();
    if (first < 0) send(report, {active, errno});
    if (first != 0) {
      int status = 0;
      while (first > 0 && waitpid(first, &status, 0) < 0 && errno == EINTR) {
      }
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 255);
    }
    end_with_parent();
  }
  const pid_t child = fork();
  if (child == 0) become(command, c, active, report);
  if (child < 0) send(report, {active, errno});
  close(report);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

std::string names_of(unsigned char active) {
  std::string names;
  const std::pair<Layer, const char*> all[] = {
      {limits, "limits"}, {calls, "calls"}, {files, "files"}, {namespaces, "namespaces"}};
  for (const auto& [layer, name] : all)
    if (active & layer) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

// Reads what comes until all writers are gone; notes it where time is over before, or too much came.
void read_all(int from, Clock::time_point deadline, Outcome& outcome) {
  char buffer[most_kept];
  std::string& output = outcome.output;
  const auto leave_out_the_middle = [&] {
    if (output.size() > most_kept) output.erase(most_kept / 2, output.size() - most_kept);
  };
  std::size_t all = 0;
  while (!outcome.timed_out && !outcome.printed_too_much && interrupted_by == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    outcome.timed_out = left <= 0;
    constexpr decltype(left) a_while = 100;  // a signal may come just before
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(std::min(left, a_while))) <= 0) continue;
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count == 0) break;
    if (count < 0) continue;
    output.append(buffer, static_cast<std::size_t>(count));
    all += static_cast<std::size_t>(count);
    outcome.printed_too_much = all > most_written;
    if (output.size() > 4 * most_kept) leave_out_the_middle();
  }
  leave_out_the_middle();
}

}  // namespace

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

SignalsNoted::SignalsNoted() {
  if (noted_scopes++ > 0) return;
  interrupted_by = 0;
  for (std::size_t i = 0; i < std::size(ending_signals); ++i) {
    struct sigaction note = {};
    note.sa_handler = [](int number) { interrupted_by = number; };
    sigaction(ending_signals[i], nullptr, &actions_before[i]);
    if (actions_before[i].sa_handler != SIG_IGN) sigaction(ending_signals[i], &note, nullptr);
  }
}

SignalsNoted::~SignalsNoted() {
  if (--noted_scopes > 0) return;
  for (std::size_t i = 0; i < std::size(ending_signals); ++i)
    sigaction(ending_signals[i], &actions_before[i], nullptr);
}

void SignalsNoted::check() const {
  if (interrupted_by != 0) throw Interrupted{interrupted_by};
}

Outcome run_confined(const std::vector<std::string>& command, const Confinement& c) {
  const SignalsNoted noted;
  noted.check();
  int output[2], report[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "assignments: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "assignments: no process");
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, 0);
    dup2(output[1], 1);
    dup2(output[1], 2);
    close(output[1]);
    start(command, c, report[1]);
  }
  setpgid(child, child);  // whoever comes first
  close(output[1]);
  close(report[1]);
  Outcome outcome;
  const auto deadline = Clock::now() + std::chrono::seconds(patience * c.seconds);
  read_all(output[0], deadline, outcome);
  // A program may close its output and go on.
  int status = 0;
  pid_t ended = 0;
  rusage used{};
  while (!outcome.timed_out && !outcome.printed_too_much && interrupted_by == 0 &&
         (ended = wait4(child, &status, WNOHANG, &used)) == 0) {
    outcome.timed_out = Clock::now() > deadline;
    usleep(500);
  }
  kill(-child, SIGKILL);
  if (ended == 0) waitpid(child, &status, 0);
  Report said;
  while (read(report[0], &said, sizeof said) == sizeof said) outcome.layers = names_of(said.active);
  close(output[0]);
  close(report[0]);
  noted.check();
  if (said.error != 0)
    throw std::system_error(said.error, std::generic_category(),
                            "sandbox: a program cannot be started: it is " + command[0]);
  outcome.computing = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                      1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  if (ended == 0 || !WIFEXITED(status)) return outcome;
  outcome.status = WEXITSTATUS(status);
  if (outcome.status > 128) outcome.signal = outcome.status - 128;
  return outcome;
}

// At the limit of its time a process gets SIGXCPU, or SIGKILL where both limits are the same.
bool Outcome::had_no_end() const {
  return timed_out || printed_too_much || signal == SIGXCPU || signal == SIGKILL;
}

std::string Outcome::problem() const {
  if (printed_too_much)
    return "printed more than " + std::to_string(most_written >> 20) +
           " MB and was ended: does a loop ever end?";
  if (had_no_end()) return "took too long and was ended: does a loop ever end?";
  if (signal == SIGSEGV || signal == SIGBUS)
    return "was ended by a segmentation fault: it left its arrays, or called itself without end.";
  if (signal == SIGFPE) return "was ended by a division of whole numbers by 0.";
  if (signal == SIGABRT) return "called abort, or an assertion failed.";
  if (signal == SIGXFSZ) return "wrote too large a file.";
  if (signal != 0) return "was ended by signal " + std::to_string(signal) + ".";
  return status == 0 ? "" : "ended with status " + std::to_string(status) + ".";
}

bool blames_machine(const Outcome& outcome, const Confinement& c) {
  const auto says = [&](const char* words) { return outcome.output.find(words) != std::string::npos; };
  const bool had_time =
      !outcome.timed_out && !outcome.printed_too_much && outcome.computing < 0.9 * c.seconds;
  // Of a compiler, it is a program started by the one that is waited for.
  const bool is_killed = outcome.signal == SIGKILL || says("Killed signal terminated program") ||
                         says("terminated with signal 9") || says("unable to execute command: Killed");
  return !outcome.succeeded() && (says("No space left on device") || (is_killed && had_time));
}

void require_machine(const Outcome& outcome, const Confinement& c) {
  if (!blames_machine(outcome, c)) return;
  constexpr std::size_t most = 1000;
  throw std::runtime_error("sandbox: a program needs space and memory, which this machine did not give it: " +
                           outcome.problem() + " It said: " + outcome.output.substr(0, most));
}
