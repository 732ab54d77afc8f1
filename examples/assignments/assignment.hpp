// Assignments and their parts, as the folders of examples/assignments/ describe them.
//
//   02-softmax/parts.ini      title, and for each part: name, title, points, task, where the library has it
//              handout.md        what to know, with numbers to check by hand
//              hints.md          three grades of hints for each part
//              mistakes.md       what is misunderstood: a sentence, and the change that makes it
//              cases.cpp         what goes into each part and how it is called (exercise.hpp)
//              *.cpp, plain/     functions that the library has not by themselves, and plain versions of
//              those that
//                                it has in a faster way
#pragma once

#include <optional>
#include <string>
#include <vector>

/// A mistake that people make, as a change of the library's function.
struct Mistake {
  std::string name;      // other terms missing
  std::string sentence;  // what was misunderstood
  std::vector<std::pair<std::string, std::string>>
      changes;  // an old text, which occurs once, and its new one
};

/// What a translator is to reach, and with how much.
struct Goal {
  double bleu = 0;
  long tokens = 0, parameters = 0;
  std::string model;  // transformer, gru, lstm
};

/// What stands before the arguments: gradual::softmax of "gradual::softmax(gradual::Tensor const&)".
std::string without_arguments(const std::string& name);

/// One function to be written, or to be mended, in a file of its own: a syntax error costs one part.
struct Part {
  std::string assignment;  // "02"
  int place = 0;           // from 1
  std::string name;        // softmax_slope
  std::string title;       // its slope
  std::string task;        // what the starter says
  int points = 0;
  std::string source;     // core/rows/rows.cpp: where the library has the function
  std::string plain;      // a file with a plain version of it, where the library's is too fused to be read
  std::string signature;  // Tensor softmax_backward(const Tensor& y, const Tensor& dy)
  std::vector<std::string> helpers;  // signatures of functions of that file that the starter has whole
  std::vector<std::string> uses;     // functions of the library that a solution may call besides tensors
  std::vector<std::string> shows;    // signatures of what the library's function leaves its work to
  std::optional<Mistake> bug;        // the starter is the function with this in it, and not an empty one
  std::optional<Goal> goal;          // there is no function: settings are to be found that reach it

  std::string number() const { return assignment + "." + std::to_string(place); }
  std::string file() const { return std::to_string(place) + "_" + name + (goal ? ".conf" : ".cpp"); }
  /// The file whose text mistakes change and solutions are shown from.
  const std::string& readable() const { return plain.empty() ? source : plain; }
  /// softmax_backward, or EncoderLayer::operator()
  std::string function() const {
    const std::string before = without_arguments(signature);
    return before.substr(before.find_last_of(" *&") + 1);
  }
};

struct Assignment {
  std::string number, folder, title, milestone;
  std::vector<Part> parts;
  int points() const;
};

/// All assignments below the folder, by number. Throws FileError, with the line, for what is not understood.
std::vector<Assignment> read_assignments(const std::string& folder);

/// The parts that "02" or "02.3" names, or all for ""; throws std::invalid_argument where there are none.
std::vector<Part> find_parts(const std::vector<Assignment>& assignments, const std::string& name);
const Assignment& assignment_of(const std::vector<Assignment>& assignments, const Part& part);

/// The three hints of a part.
std::vector<std::string> read_hints(const Assignment& assignment, const Part& part);
/// The mistakes of a part.
std::vector<Mistake> read_mistakes(const Assignment& assignment, const Part& part);
/// Those of a text: "### name", a sentence, and blocks of changes.
std::vector<Mistake> mistakes_in(const std::string& text, const std::string& path);
/// The text with the mistake's changes; throws std::invalid_argument unless the old text of each occurs
/// exactly once.
std::string with_mistake(std::string text, const Mistake& mistake);

/// What stands between the separators, without the spaces around it; nothing for what is empty.
std::vector<std::string> list_of(const std::string& value, char separator);

/// The bytes of a file, "" of an empty one; throws FileError where it cannot be read.
std::string read_text(const std::string& path);

/// FNV-1a (Fowler, Noll and Vo) in 16 digits: tells whether a text changed, and keeps nobody from changing
/// it.
std::string fingerprint(const std::string& text);
