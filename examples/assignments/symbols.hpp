// What a compiled file defines and calls. A part may define its function and call tensors, the C++ library
// and what the part allows; a cousin that does the work for it is not among these.
#pragma once

#include <string>
#include <vector>

#include "assignment.hpp"

struct Symbols {
  std::vector<std::string> defined;    // for other files to see
  std::vector<std::string> undefined;  // from other files
  bool is_undone = false;              // it calls undone()
  bool are_too_many = false;           // some are left out
};

/// Throws std::runtime_error for a file that is no object.
Symbols symbols_of(const std::string& object);

/// Why the part cannot be accepted, as sentences; empty where it can.
std::string objection(const Symbols& symbols, const Part& part);
