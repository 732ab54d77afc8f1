// Official points, from the sources that were collected.
#pragma once

#include "../commands.hpp"
#include "../mark.hpp"
#include "course.hpp"

/// The points of one student in one assignment.
struct Result {
  std::string student, assignment;
  bool is_handed_in = false;
  bool is_graded = false;  // since it was handed in
  std::vector<Mark> marks;
};

/// Throws std::runtime_error where the sandbox keeps neither files nor the network from students' programs,
/// with what is missing and what helps.
void require_isolation();
/// Throws std::runtime_error where they could read this file: that of a course among the system's own
/// folders.
void require_secrecy(const Workshop& workshop, const std::string& file);

/// The marks of the parts in a folder, by the seeds of an assignment's key: the same points each time. A part
/// without a file is missing.
std::vector<Mark> grade_folder(const Desk& desk, const Assignment& assignment, const std::string& folder,
                               const std::string& assignment_key, const std::string& student);

/// Grades everything that was collected, or one assignment of it, in some processes at once; writes results/
/// and returns the results of all students in the order of the roster. What cannot be graded is said on
/// standard error, and is not graded. Throws FileError where another process is grading the course.
std::vector<Result> grade_course(const Course& course, const Desk& desk, const std::string& assignment,
                                 int jobs);

/// A row for each student, with the points in each assignment, nothing for what was not handed in or not
/// graded since, and their sum.
std::string grades_csv(const Course& course, const std::vector<Result>& results);
