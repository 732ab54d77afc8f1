#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>

#include "../terminal/console.hpp"
#include "commands.hpp"
#include "report.hpp"

namespace fs = std::filesystem;

namespace {

termios terminal_before;

// A terminal goes on after the program.
void restore_and_end(int number) {
  tcsetattr(0, TCSANOW, &terminal_before);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

// Keys are read as they are pressed, where standard input is a terminal, until this goes out of scope or a
// signal ends the program.
class Keys {
 public:
  Keys() {
    if (tcgetattr(0, &terminal_before) != 0) return;
    is_terminal_ = true;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, restore_and_end);
    termios raw = terminal_before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(0, TCSANOW, &raw);
  }
  ~Keys() {
    if (!is_terminal_) return;
    tcsetattr(0, TCSANOW, &terminal_before);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  // A key that was pressed within so many milliseconds, or 0; q when there will be no more.
  char wait(int milliseconds) {
    pollfd input{0, POLLIN, 0};
    if (poll(&input, 1, milliseconds) <= 0) return 0;
    char key = 0;
    if (read(0, &key, 1) == 1) return key;
    return 'q';
  }

 private:
  bool is_terminal_ = false;
};

std::string progress(const Desk& desk, const Coursework& work, const std::vector<Part>& parts) {
  int done = 0;
  for (const Part& part : parts) done += work.has_passed(assignment_of(desk.assignments, part), part) ? 1 : 0;
  const int all = static_cast<int>(parts.size());
  return bar(done, all) + "  " + std::to_string(done) + " of " + std::to_string(all) +
         (all == 1 ? " part" : " parts");
}

void print_list(const Desk& desk, const Coursework& work, const std::vector<Part>& parts,
                const Part& current) {
  for (const Part& part : parts) {
    const Assignment& assignment = assignment_of(desk.assignments, part);
    const char* const mark = work.has_passed(assignment, part)   ? "  ✓ "
                             : part.number() == current.number() ? "  ▸ "
                                                                 : "    ";
    std::cout << mark << part.number() << "  " << assignment.title << ": " << part.title << "\n";
  }
  std::cout << "  " << progress(desk, work, parts) << "\n";
}

// The verdict on a part, and what follows on it. True when it is right.
bool grade_and_show(const Desk& desk, const Coursework& work, const Part& part) {
  const bool is_watched = is_terminal(stdout);
  if (is_watched) std::cout << "grading " << part.file() << " …" << std::flush;  // it may take seconds
  const Verdict verdict = judged_own(desk, work, part);
  if (is_watched) std::cout << "\r\033[K";
  print_verdict(std::cout, verdict, columns_to_fit());
  if (verdict.state == Verdict::State::right) print_difference(desk, verdict);
  std::cout << "  (graded in " << static_cast<int>(1000 * verdict.seconds) << " ms)\n";
  return verdict.state == Verdict::State::right;
}

constexpr const char* keys_help =
    "h hint, l list, g grade again, n next, q quit; it is graded whenever you save it";

enum class Next { part, skip, quit };

// Watches one part's file until it is right or a key says otherwise.
Next work_on(const Desk& desk, const Coursework& work, const Part& part, const std::vector<Part>& parts,
             Keys& keys) {
  const std::string file = work.file_of(assignment_of(desk.assignments, part), part);
  fs::file_time_type seen{};
  while (true) {
    std::error_code gone;
    const fs::file_time_type now = fs::last_write_time(file, gone);
    if (!gone && now != seen) {
      seen = now;
      if (grade_and_show(desk, work, part)) return Next::part;
    }
    std::cout << std::flush;
    switch (keys.wait(100)) {
      case 'q':
        return Next::quit;
      case 'n':
        return Next::skip;
      case 'h':
        hint(desk, part.number(), false);
        break;
      case 'l':
        print_list(desk, work, parts, part);
        break;
      case 'g':
        work.prepare(assignment_of(desk.assignments, part));  // where the file was removed, it begins anew
        seen = {};
        break;
      case '?':
        std::cout << fitted(keys_help) << "\n";
        break;
      default:
        break;
    }
  }
}

}  // namespace

void learn(const Desk& desk, const std::string& name) {
  const std::vector<Part> parts = find_parts(desk.assignments, name);
  const Coursework work(desk.workshop, desk.folder);
  Keys keys;
  std::size_t skipped = 0;
  while (true) {
    const std::vector<Part> rest(parts.begin() + static_cast<std::ptrdiff_t>(skipped), parts.end());
    const std::optional<Part> part = first_to_do(desk, work, rest);
    if (!part) break;
    const Assignment& assignment = assignment_of(desk.assignments, *part);
    work.prepare(assignment);
    std::cout << "\n"
              << part->number() << "  " << assignment.title << ": " << part->title << "\n"
              << progress(desk, work, parts) << "\n"
              << fitted(part->task) << "\nfile     " << work.file_of(assignment, *part) << "\nhandout  "
              << assignment.folder << "/handout.md\n"
              << fitted(std::string("keys     ") + keys_help) << "\n\n";
    const Next next = work_on(desk, work, *part, parts, keys);
    if (next == Next::quit) return;
    if (next == Next::skip) {
      while (parts[skipped].number() != part->number()) ++skipped;
      ++skipped;
    } else if (!first_to_do(desk, work, assignment.parts)) {
      const std::string together =
          assignment.milestone.empty()
              ? ""
              : "./run grade " + assignment.number + " --together puts your parts into the translator, ";
      std::cout << fitted("Assignment " + assignment.number + " is done. " + together + "./run submit " +
                          assignment.number + " makes what you hand in.")
                << "\n";
    }
  }
  std::cout << (skipped == 0 ? "All parts are right.\n"
                             : "These are all; ./run learn begins with those left out.\n");
}
