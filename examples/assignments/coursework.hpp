// The folder in which a student works, coursework/ beside the library's: a file for each part, and what the
// programs remember.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workshop.hpp"

/// Who an instructor says one is, in coursework/student.conf: nobody where there is no such file.
struct Student {
  std::string course, id;
  std::map<std::string, std::uint64_t> seeds;  // by assignment
};

/// The student's folder. `path` need not be there yet.
class Coursework {
 public:
  Coursework(const Workshop& workshop, std::string path);

  std::string file_of(const Assignment& assignment, const Part& part) const;
  /// Writes the starters that are not there yet, and compile_flags.txt, by which editors find the headers.
  void prepare(const Assignment& assignment) const;

  /// Throws FileError, with the line, for what is not understood.
  Student student() const;
  const std::string& path() const { return path_; }

  /// Whether the part's file, as it is now, was found right.
  bool has_passed(const Assignment& assignment, const Part& part) const;
  /// That this text, which the file had when it was judged, is right.
  void note_passed(const Part& part, const std::string& text) const;
  /// How many hints of the part were given, and that one more is.
  int hints_given(const Part& part) const;
  void note_hint(const Part& part) const;

 private:
  std::string remembered(const std::string& key) const;
  void remember(const std::string& key, const std::string& value) const;

  const Workshop& workshop_;
  std::string path_;
};
