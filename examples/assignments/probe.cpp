// The process in which a student's function runs: it reads the inputs of cases and writes what comes out. It
// knows neither what is expected nor how inputs are drawn, so there is nothing in it to find out.
//
//   probe <part> <folder> <first> <last>     <folder>/<case>.in to <folder>/<case>.out, for first … last - 1
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
  if (count != 5) return 2;
  const Exercise& part = exercise(arguments[1]);
  const std::string folder = std::string(arguments[2]) + "/";
  for (int i = std::atoi(arguments[3]); i < std::atoi(arguments[4]); ++i) {
    const std::string name = folder + std::to_string(i);
    const Values result = outcome_of(part, gradual::load_tensors(name + ".in"));
    // Not save_tensors alone, which may refuse what the student made: a tensor without a value, for one.
    try {
      gradual::save_tensors(name + ".out", result);
    } catch (const std::exception& error) {
      Values broken;
      broken.metadata["error"] = error.what();
      gradual::save_tensors(name + ".out", broken);
    }
  }
  std::fflush(stdout);
  _exit(0);  // destructors of a student's variables have no say in it
}
