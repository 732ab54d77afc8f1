#include "commands.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <thread>

#include "library_text.hpp"
#include "report.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

Verdict judged(const Course& course, const Part& part, const std::string& file) {
  return judge(course.workshop, course.assignments, part, file, course.seed, course.other_seed);
}

// The library's way beside the student's.
void print_difference(const Course& course, const Part& part, const std::string& file) {
  std::string yours = read_text(file);
  try {
    yours = definition_of(yours, part.signature, file);
  } catch (const std::invalid_argument&) {  // laid out in another way: then all of it
  }
  std::cout << "\nyours (-) beside the library's (+), " << part.readable() << ":\n"
            << difference(yours, solution(part, readable_source(course.workshop, part))) << "\n";
}

// Keys are read as they are pressed, where standard input is a terminal, until this goes out of scope.
class Keys {
 public:
  Keys() {
    if (tcgetattr(0, &before_) != 0) return;
    is_terminal_ = true;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(0, TCSANOW, &raw);
  }
  ~Keys() {
    if (is_terminal_) tcsetattr(0, TCSANOW, &before_);
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
  termios before_{};
  bool is_terminal_ = false;
};

std::optional<Part> first_to_do(const Course& course, const Coursework& work,
                                const std::vector<Part>& parts) {
  for (const Part& part : parts)
    if (!work.has_passed(assignment_of(course.assignments, part), part)) return part;
  return std::nullopt;
}

void print_list(const Course& course, const Coursework& work, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    const Assignment& assignment = assignment_of(course.assignments, part);
    std::cout << (work.has_passed(assignment, part) ? "  ✓ " : "    ") << part.number() << "  "
              << assignment.title << ": " << part.title << "\n";
  }
}

// The verdict on a part, and what follows on it. True when it is right.
bool grade_and_show(const Course& course, const Coursework& work, const Part& part) {
  const Assignment& assignment = assignment_of(course.assignments, part);
  const Verdict verdict = judged(course, part, work.file_of(assignment, part));
  print_verdict(std::cout, verdict);
  if (verdict.state == Verdict::State::right) {
    work.note_passed(assignment, part);
    print_difference(course, part, work.file_of(assignment, part));
  }
  std::cout << "  (" << static_cast<int>(1000 * verdict.seconds) << " ms)\n";
  return verdict.state == Verdict::State::right;
}

}  // namespace

bool grade(const Course& course, const std::string& name, const std::string& file) {
  const std::vector<Part> parts = find_parts(course.assignments, name);
  if (!file.empty() && parts.size() != 1)
    throw std::invalid_argument("assignments: --file is for one part, as 02.3: got " + name);
  const Coursework work(course.workshop, course.folder);
  bool all_right = true;
  for (const Assignment& assignment : course.assignments) {
    std::vector<Verdict> verdicts;
    for (const Part& part : parts) {
      if (part.assignment != assignment.number) continue;
      if (file.empty()) work.prepare(assignment);
      verdicts.push_back(judged(course, part, file.empty() ? work.file_of(assignment, part) : file));
      const bool is_right = verdicts.back().state == Verdict::State::right;
      if (is_right && file.empty()) work.note_passed(assignment, part);
      all_right = all_right && is_right;
    }
    if (!verdicts.empty()) print_report(std::cout, assignment, verdicts);
    const bool is_one = verdicts.size() == 1 && parts.size() == 1;
    if (is_one && all_right)
      print_difference(course, parts.front(), file.empty() ? work.file_of(assignment, parts.front()) : file);
  }
  return all_right;
}

void hint(const Course& course, const std::string& name, bool all) {
  const Coursework work(course.workshop, course.folder);
  std::vector<Part> parts = find_parts(course.assignments, name);
  if (const auto next = first_to_do(course, work, parts)) parts = {*next};
  const Part& part = parts.front();
  const Assignment& assignment = assignment_of(course.assignments, part);
  work.prepare(assignment);
  const std::vector<std::string> hints = read_hints(assignment, part);
  if (!all) work.note_hint(part);
  const int last = all ? 3 : work.hints_given(part);
  std::cout << part.number() << "  " << assignment.title << ": " << part.title << "\n";
  for (int i = 0; i < last; ++i)
    std::cout << "\n" << i + 1 << ". " << hints[static_cast<std::size_t>(i)] << "\n";
  if (last < 3) std::cout << "\n(" << 3 - last << " more: ask again)\n";
}

void learn(const Course& course, const std::string& name) {
  const std::vector<Part> parts = find_parts(course.assignments, name);
  const Coursework work(course.workshop, course.folder);
  Keys keys;
  std::size_t skipped = 0;
  while (true) {
    std::vector<Part> rest(parts.begin() + static_cast<std::ptrdiff_t>(skipped), parts.end());
    const std::optional<Part> part = first_to_do(course, work, rest);
    if (!part) break;
    const Assignment& assignment = assignment_of(course.assignments, *part);
    work.prepare(assignment);
    const std::string file = work.file_of(assignment, *part);
    std::cout
        << "\n"
        << part->number() << "  " << assignment.title << ": " << part->title << "\n"
        << part->task << "\nfile     " << file << "\nhandout  " << assignment.folder
        << "/handout.md\nkeys     h hint, l list, n next, q quit; it is graded whenever you save it\n\n";
    fs::file_time_type seen{};
    while (true) {
      std::error_code gone;
      const fs::file_time_type now = fs::last_write_time(file, gone);
      if (!gone && now != seen) {
        seen = now;
        if (grade_and_show(course, work, *part)) break;
        std::cout << std::flush;
      }
      const char key = keys.wait(100);
      if (key == 'q') return;
      if (key == 'h') hint(course, part->number(), false);
      if (key == 'l') print_list(course, work, parts);
      if (key == 'n') {
        while (parts[skipped].number() != part->number()) ++skipped;
        ++skipped;
        break;
      }
      std::cout << std::flush;
    }
  }
  std::cout << (skipped == 0 ? "All parts are right.\n"
                             : "These are all; ./run learn begins with those left out.\n");
}
