// What is handed in: one file, 02.submission.json, that a person can read and any learning platform takes.
//
// It holds the text of each part, which starter that grew from, and what the student's own grader said. That
// report is for people: official points come from grading the parts again. The fingerprint finds a file that
// was changed on the way, by an editor, a mail program or a hand; it is no signature, and needs to be none.
#pragma once

#include "workshop.hpp"

struct Submission {
  struct Piece {
    std::string part, text;  // "02.3" and its file
    std::string starter;     // the fingerprint of the starter
  };
  std::string assignment, course, student;
  std::string made;  // when, as 2026-11-22T14:00:00Z
  std::string report;
  std::vector<Piece> parts;
};

/// The fingerprint of a part's starter as it is here.
std::string starter_print(const Workshop& workshop, const Part& part);

/// Throws std::invalid_argument for a part that is not UTF-8, and for what is larger than a megabyte.
std::string submission_text(const Submission& submission);

/// Throws FileError, with `path`, for what is no submission, for one that was changed after it was written,
/// and for one that is larger than a megabyte.
Submission parse_submission(const std::string& text, const std::string& path);

/// Throws FileError for an assignment that is not there, for parts that it does not have, and for a starter
/// that is another one here.
void check_version(const Submission& submission, const Workshop& workshop,
                   const std::vector<Assignment>& assignments, const std::string& path);

/// Writes the parts as files into a folder: names come from the assignment, not from the submission.
void write_parts(const Submission& submission, const Assignment& assignment, const std::string& folder);
