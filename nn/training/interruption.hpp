// Ending a program that trains without losing what it has learnt.
#pragma once

#include <string>

namespace gradual {

/// While it lives, Ctrl-C (SIGINT), SIGTERM, which batch systems and shutdowns send, and SIGHUP, which a
/// closed terminal sends, no longer end the program: they are remembered, for a loop that asks. A program
/// that was started to ignore SIGHUP, as `nohup` does, goes on ignoring it. There can only be one at a time.
class Interruption {
 public:
  /// Throws std::logic_error when there is one already.
  Interruption();
  /// The signals do what they did before.
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The number of the first signal that came; 0 for none.
  int signal() const;
  /// Its name, such as "SIGTERM"; nothing for none.
  std::string name() const;
};

}  // namespace gradual
