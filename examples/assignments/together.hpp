// The milestone of an assignment: the real translator with a student's parts in it.
#pragma once

#include "coursework.hpp"

struct Milestone {
  bool is_reached = false;
  std::string text;  // what a person reads of it
};

/// Links `translate` with those of the student's parts that compile and are begun, and with the library in
/// all other places; trains it for a few steps in the sandbox, with the assignment's settings, and compares
/// the loss with that of the library alone. The program stays beside the student's files, as `translate`.
Milestone milestone(const Workshop& workshop, const Assignment& assignment, const Coursework& work);
