#include <gradual/nn/training/interruption.hpp>

#include <csignal>

#include "support/catch.hpp"

using namespace gradual;

namespace {

volatile std::sig_atomic_t heard_before = 0;
void hear(int) { heard_before = 1; }

}  // namespace

TEST_CASE("interruption: the first signal is remembered, and the program goes on") {
  for (const auto& [number, name] : {std::pair(SIGINT, "SIGINT"), {SIGTERM, "SIGTERM"}}) {
    const auto before = std::signal(number, SIG_DFL);
    {
      const Interruption interruption;
      CHECK(interruption.signal() == 0);
      CHECK(interruption.name().empty());
      std::raise(number);
      std::raise(number == SIGINT ? SIGTERM : SIGINT);
      std::raise(number);
      CHECK(interruption.signal() == number);
      CHECK(interruption.name() == name);
    }
    std::signal(number, before);
  }
}

TEST_CASE("interruption: when it is gone, signals do what they did before") {
  const auto before = std::signal(SIGTERM, hear);
  { const Interruption interruption; }
  heard_before = 0;
  std::raise(SIGTERM);
  CHECK(heard_before == 1);
  std::signal(SIGTERM, before);
}
