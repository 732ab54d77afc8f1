// Marks in the formats that others read.
#pragma once

#include "mark.hpp"

/// Gradescope's results.json (gradescope-autograders.readthedocs.io, "Autograder Specifications").
std::string gradescope_results(const std::vector<Mark>& marks, const std::string& output);

/// What GitHub Classroom's reporter reads, as JSON before base64
/// (classroom-resources/autograding-grading-reporter).
std::string classroom_results(const std::vector<Mark>& marks);

/// JUnit XML: a suite of the name, a test case for each part. A part that is not begun or missing is skipped.
std::string junit_xml(const std::string& suite, const std::vector<Mark>& marks);

/// A line for each part, with a heading: part, title, state, points, of, what was misunderstood.
std::string marks_csv(const std::vector<Mark>& marks);

/// One text for each format, kept and read again by `course grade`.
std::string marks_json(const std::vector<Mark>& marks);
/// Throws FileError, with `path`, for what marks_json() did not write.
std::vector<Mark> parse_marks(const std::string& text, const std::string& path);
