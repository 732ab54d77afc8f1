#include <gradual/nn/training/interruption.hpp>

#include <csignal>
#include <stdexcept>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("interruption: a closed terminal is a signal like the others") {
  const auto before = std::signal(SIGHUP, SIG_DFL);
  {
    const Interruption interruption;
    std::raise(SIGHUP);
    std::raise(SIGTERM);
    CHECK(interruption.signal() == SIGHUP);
    CHECK(interruption.name() == "SIGHUP");
  }
  std::signal(SIGHUP, before);
}

TEST_CASE(
    "interruption: under nohup a closed terminal is no signal, and there can only be one that listens") {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const Interruption interruption;
    std::raise(SIGHUP);
    CHECK(interruption.signal() == 0);
    CHECK_THROWS_AS(Interruption(), std::logic_error);
    std::raise(SIGINT);
    CHECK(interruption.name() == "SIGINT");
  }
  CHECK(std::signal(SIGHUP, before) == SIG_IGN);
}
