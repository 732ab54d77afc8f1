#include <gradual/nn/training/interruption.hpp>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <vector>

namespace gradual {
namespace {

struct Watched {
  int number;
  const char* name;
  void (*before)(int);
};

std::vector<Watched>& watched_signals() {
  static std::vector<Watched> all{{SIGINT, "SIGINT", SIG_DFL},
                                  {SIGTERM, "SIGTERM", SIG_DFL},
#ifdef SIGHUP  // not on Windows
                                  {SIGHUP, "SIGHUP", SIG_DFL}
#endif
  };
  return all;
}

std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may write it");
bool there_is_one = false;

void remember(int number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
  std::signal(number, remember);  // some systems take the handler away
}

}  // namespace

Interruption::Interruption() {
  if (there_is_one) throw std::logic_error("interruption: there can only be one at a time");
  there_is_one = true;
  first_signal = 0;
  for (Watched& each : watched_signals()) {
    each.before = std::signal(each.number, remember);
    const bool may_be_ignored = each.number != SIGINT && each.number != SIGTERM;
    if (may_be_ignored && each.before == SIG_IGN) std::signal(each.number, SIG_IGN);
  }
}

Interruption::~Interruption() {
  for (const Watched& each : watched_signals()) std::signal(each.number, each.before);
  there_is_one = false;
}

int Interruption::signal() const { return first_signal; }

std::string Interruption::name() const {
  for (const Watched& each : watched_signals())
    if (each.number == first_signal) return each.name;
  return "";
}

}  // namespace gradual
