// The folder in which a student works, coursework/ beside the library's: a file for each part, and what the
// programs remember.
#pragma once

#include <string>
#include <vector>

#include "workshop.hpp"

/// The student's folder. `path` need not be there yet.
class Coursework {
 public:
  Coursework(const Workshop& workshop, std::string path);

  std::string file_of(const Assignment& assignment, const Part& part) const;
  /// Writes the starters that are not there yet, and compile_flags.txt, by which editors find the headers.
  void prepare(const Assignment& assignment) const;

  /// Whether the part's file, as it is now, was found right.
  bool has_passed(const Assignment& assignment, const Part& part) const;
  void note_passed(const Assignment& assignment, const Part& part) const;
  /// How many hints of the part were given, and that one more is.
  int hints_given(const Part& part) const;
  void note_hint(const Part& part) const;

 private:
  std::string remembered(const std::string& key) const;
  void remember(const std::string& key, const std::string& value) const;

  const Workshop& workshop_;
  std::string path_;
};
