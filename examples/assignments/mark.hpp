// A verdict as what is kept of it: the row that every format is written from.
#pragma once

#include <string>
#include <vector>

#include "judge.hpp"

struct Mark {
  std::string part, title, file;  // "02.3", "its slope", "3_softmax_slope.cpp"
  std::string state;              // right, wrong, undone, errors, refused, missing
  std::string text;               // what the student is told; empty where all is right
  std::string diagnosis;          // what was misunderstood, or empty
  std::string shape;              // a fingerprint of the function without its names and comments
  int points = 0, of = 0;
  double seconds = 0;

  bool is_right() const { return state == "right"; }
};

/// The mark of a verdict on this text.
Mark mark_of(const Verdict& verdict, const std::string& text);
/// The mark of a part that was not handed in.
Mark missing_mark(const Part& part);

/// A fingerprint of a text's tokens, in which names are only told apart: the same for a copy with other
/// names, comments and line breaks.
std::string shape_of(const std::string& text);

int points_of(const std::vector<Mark>& marks);
int points_in_all(const std::vector<Mark>& marks);

/// The points, in a word or a sentence, of a part: "right", "wrong: …".
std::string summary_of(const Mark& mark);
