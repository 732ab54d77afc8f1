// What came in, sorted by students and assignments.
#pragma once

#include "course.hpp"

struct Workshop;

/// A file that was found, and what became of it.
struct Found {
  std::string place;                // its path below the inbox; "a.zip/b.json" in an archive
  std::string student, assignment;  // where they are known
  std::string problem;              // why it was not taken; empty where it was
};

/// Goes through a folder or an archive, with the archives in it, and takes every submission of a student of
/// the course into collected/. Who handed it in is said by the file itself, or by the place where the
/// platform put it, the outermost name of the path that means somebody; the two must agree. Of several the
/// youngest counts, and what is dated ahead is not taken. Writes collected.csv with all that
/// was found. Throws FileError where there is no such inbox.
std::vector<Found> collect(const Course& course, const std::string& inbox, const Workshop& workshop,
                           const std::vector<Assignment>& assignments);

/// Those with a problem, as a person reads them: files of one folder that are no submissions in one.
std::vector<Found> not_taken(const std::vector<Found>& found);

/// Where a student's submission is kept.
std::string collected_path(const Course& course, const std::string& student, const std::string& assignment);
