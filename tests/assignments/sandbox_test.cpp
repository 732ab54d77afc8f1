// What is read of a program in the sandbox, and how it ends.
#include "sandbox.hpp"

#include "support/catch.hpp"
#include "workshop.hpp"

namespace {

Outcome outcome_of_program(const std::vector<std::string>& command) {
  const ScratchFolder scratch;
  Confinement c;
  c.seconds = 20;
  c.writable = scratch.path();
  return run_confined(command, c);
}

}  // namespace

TEST_CASE("sandbox: of a talkative program the beginning and the end are kept") {
  const Outcome outcome = outcome_of_program({"/usr/bin/seq", "1000000"});  // 6.9 MB
  CHECK(outcome.succeeded());
  CHECK(outcome.problem().empty());
  CHECK(outcome.output.size() == 65536);
  CHECK(outcome.output.rfind("1\n2\n3\n", 0) == 0);
  CHECK(outcome.output.substr(outcome.output.size() - 15) == "999999\n1000000\n");
}

TEST_CASE("sandbox: a program that prints without end is ended by what it printed, before its time is over") {
  const Outcome outcome = outcome_of_program({"/usr/bin/yes"});
  CHECK_FALSE(outcome.succeeded());
  CHECK(outcome.had_no_end());
  CHECK(outcome.problem() == "printed more than 64 MB and was ended: does a loop ever end?");
  CHECK(outcome.output.size() == 65536);
}

TEST_CASE("sandbox: a program may print nothing, or fail, and it is told which") {
  CHECK(outcome_of_program({"/usr/bin/true"}).succeeded());
  CHECK(outcome_of_program({"/usr/bin/false"}).problem() == "ended with status 1.");
  CHECK(outcome_of_program({"/nowhere"}).status == 127);
}
