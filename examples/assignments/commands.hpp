// What students do: grade, ask for hints, hand in, and learn, part after part, while the program watches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coursework.hpp"
#include "judge.hpp"

/// Where one works: what the build made, the assignments, the folder with one's own files.
struct Desk {
  Workshop workshop;
  std::vector<Assignment> assignments;
  std::string folder;                 // coursework
  std::optional<std::uint64_t> seed;  // of the first half of the cases; else the student's own, else 1
  std::uint64_t other_seed = 2;       // of the second half
};

/// What to grade, and the files to write it to; an empty name writes none.
struct GradeSettings {
  std::string part;  // "02", "02.3", or "" for all
  std::string file;  // grade this file as the part
  std::string gradescope, classroom, junit, csv;
  bool together = false;
};

/// Grades the parts that the name stands for, or one file as a part; true when all are right.
bool grade(const Desk& desk, const GradeSettings& settings);
/// The next hint of a part, or all three.
void hint(const Desk& desk, const std::string& name, bool all);
/// Grades an assignment and writes what is handed in: coursework/02-softmax/02.submission.json.
void submit(const Desk& desk, const std::string& assignment);
/// Finds the first part that is not done, grades it whenever its file is saved, and goes on to the next.
void learn(const Desk& desk, const std::string& name);

/// The assignment of this number; throws std::invalid_argument, with those that there are.
const Assignment& whole_assignment(const Desk& desk, const std::string& number);
/// The verdict on a file as a part, by the desk's seeds.
Verdict judged(const Desk& desk, const Part& part, const std::string& file);
/// The same on the student's own file; that it is right is noted.
Verdict judged_own(const Desk& desk, const Coursework& work, const Part& part);
/// The first of the parts that is not done.
std::optional<Part> first_to_do(const Desk& desk, const Coursework& work, const std::vector<Part>& parts);
/// The library's way beside the student's, as it was judged.
void print_difference(const Desk& desk, const Verdict& verdict);
