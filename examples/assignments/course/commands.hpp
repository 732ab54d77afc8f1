// What teachers do: ./run course new, collect, grade, gradescope, classroom.
#pragma once

#include <CLI/CLI.hpp>

#include "../commands.hpp"

struct CourseSettings {
  std::string folder = GRADUAL_ROOT "/courses";  // with a folder for each course
  std::string name, roster, assignments, inbox, assignment;
  std::string root = "/autograder";
  int jobs = 2;
  bool trust = false;
};

void add_course_commands(CLI::App& course, CourseSettings& settings);

/// Does what the command line named; returns the program's status.
int run_course(const CLI::App& course, const CourseSettings& settings, const Desk& desk);
