// The grader on other people's machines: a zip for Gradescope, a workflow for GitHub Classroom.
#pragma once

#include "../commands.hpp"
#include "course.hpp"

/// Writes `courses/<name>/autograder-02.zip`: setup.sh, run_autograder, this checkout's sources, and the key
/// of this one assignment. `trust`: grade where the container gives no sandbox, too. Returns its path.
std::string write_autograder(const Course& course, const Desk& desk, const std::string& assignment,
                             bool trust);

/// What run_autograder does in `root`, which is /autograder there: grades submission/ and writes
/// results/results.json, always; what goes wrong is said in it. False where it could not be graded.
bool run_autograder(const Desk& desk, const std::string& root);

/// Writes `courses/<name>/classroom-02.yml`, a workflow for the students' repositories. Returns its path.
std::string write_workflow(const Course& course, const Desk& desk, const std::string& assignment);
