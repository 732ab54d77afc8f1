// Grades a part of an assignment from a notebook: grade("02.3"). The notebook lies in coursework/02-softmax/,
// where
// `./run notebook 02` puts it, and `%%file 3_softmax_slope.cpp` writes the part beside it.
//
// The same grader does it as on the command line, in a process of its own: whatever the part does, crash or
// run without end, the kernel stays as it was.
#pragma once

#include <cstdio>
#include <iostream>
#include <string>

// In one pair of '…' for the shell.
inline std::string grade_word(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Prints the verdict on a part, or on a whole assignment, of the folder that the notebook lies in.
inline void grade(const std::string& part) {
  const std::string here = __FILE__;
  const std::string folder = here.find('/') == std::string::npos ? "." : here.substr(0, here.rfind('/'));
  const std::string program = folder + "/../build/release/bin/assignments";
  FILE* const output =
      popen((grade_word(program) + " grade " + grade_word(part) + " --work .. 2>&1").c_str(), "r");
  if (!output) {
    std::cout << "The grader could not be started." << std::endl;
    return;
  }
  char piece[4096];
  while (std::fgets(piece, sizeof piece, output)) std::cout << piece;
  const int status = pclose(output);
  if (status != 0 && status != 256)  // 0 and 1: all right, and not
    std::cout << "The grader did not come to an end; ./run notebook builds it." << std::endl;
  std::cout << std::flush;
}
