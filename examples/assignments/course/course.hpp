// A course as a folder, which is the instructor's alone:
//
//   courses/ml26/course.conf                       its assignments
//                key                               from which all seeds come; who has it knows them
//                roster.csv                        who takes it
//                students/<id>/student.conf        what each gets: who one is, and the seeds to practise with
//                collected/<id>/02.submission.json, collected.csv
//                results/<id>/02/marks.json        with results.json and junit.xml
//                grades.csv, class.html
//                lock                              held while it is graded
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roster.hpp"

struct Assignment;

struct Course {
  std::string folder, name, key;
  std::vector<std::string> assignments;  // "01", "02", …
  std::vector<Enrolled> roster;

  /// The key of one assignment: what leaves the course in a zip for a platform tells nothing of the others.
  std::string assignment_key(const std::string& assignment) const;
};

/// The seed that a student practises with, and the one that official points come from, which nobody sees.
std::uint64_t practice_seed(const std::string& assignment_key, const std::string& student);
std::uint64_t official_seed(const std::string& assignment_key, const std::string& student);

/// Makes the folder, or gives one that is there a new roster and list of assignments: its key stays, and with
/// it all seeds. `wanted` is a list as "01-05" or "01,03"; empty: the assignments that it has, or all. Throws
/// std::invalid_argument for a name that is no folder's and for assignments that there are not, FileError for
/// a roster that is not understood.
Course make_course(const std::string& folder, const std::string& name, const std::string& roster,
                   const std::string& wanted, const std::vector<Assignment>& known);

/// Throws std::invalid_argument where the course has no such assignment.
void check_assignment(const Course& course, const std::string& number);

/// Throws FileError where the folder is no course's.
Course open_course(const std::string& folder);
