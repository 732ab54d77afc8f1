// What students do: grade, ask for hints, and learn, part after part, while the program watches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coursework.hpp"

struct Course {
  Workshop workshop;
  std::vector<Assignment> assignments;
  std::string folder;  // coursework
  std::uint64_t seed = 1, other_seed = 2;
};

/// Grades the parts that the name stands for, or one file as a part; true when all are right.
bool grade(const Course& course, const std::string& name, const std::string& file);
/// The next hint of a part, or all three.
void hint(const Course& course, const std::string& name, bool all);
/// Finds the first part that is not done, grades it whenever its file is saved, and goes on to the next.
void learn(const Course& course, const std::string& name);
