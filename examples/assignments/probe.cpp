// The process in which a student's function runs: it reads the inputs of cases and writes what comes out. It
// knows neither what is expected nor how inputs are drawn, so there is nothing in it to find out.
//
//   probe <part> <folder> <count> <first> <last>     <folder>/<case % count>.in to <folder>/<case>.out
//
// for the cases first … last - 1. A probe of mistakes (source_of_mistakes) makes the mistake case / count.
//
// A result is in its file before the next case begins: what was right stays right when a later case crashes.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "exercise.hpp"
#include "starter/undone.hpp"

namespace gradual {
void undone() { throw std::logic_error("not done yet"); }
}  // namespace gradual

int main(int count, char** arguments) {
  if (count != 6) return 2;
  const Exercise& part = exercise(arguments[1]);
  const std::string folder = std::string(arguments[2]) + "/";
  const int inputs = std::atoi(arguments[3]), last = std::atoi(arguments[5]);
  for (int i = std::atoi(arguments[4]); i < last; ++i) {
    setenv("GRADUAL_MISTAKE", std::to_string(i / inputs).c_str(), 1);
    const Values result =
        outcome_of(part, gradual::load_tensors(folder + std::to_string(i % inputs) + ".in"));
    const std::string answer = folder + std::to_string(i) + ".out";
    // Not save_tensors alone, which may refuse what the student made: a tensor without a value, for one.
    try {
      gradual::save_tensors(answer, result);
    } catch (const std::exception& error) {
      Values broken;
      broken.metadata["error"] = error.what();
      gradual::save_tensors(answer, broken);
    }
  }
  std::fflush(stdout);
  _exit(0);  // destructors of a student's variables have no say in it
}
