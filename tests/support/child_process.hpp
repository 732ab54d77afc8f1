// Tests that need a process of their own: one that runs out of memory, or is a copy of one with threads.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>

namespace gradual {

/// Runs `body` in a copy of this process, with ten seconds to do it; true when it returned true and the
/// process ended as usual, destructors of static variables included.
inline bool holds_in_child_process(const std::function<bool()>& body) {
  std::cout.flush();  // or both would print what waits there
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);  // ends a child that hangs, and none that an emulator runs beside other work
    bool holds = false;
    try {
      holds = body();
    } catch (...) {
    }
#ifdef __SANITIZE_ADDRESS__  // which waits at the end for threads that the copy has not, and calls leaks what
                             // they held
    _exit(holds ? 0 : 1);
#endif
    std::exit(holds ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// While it lives, this process can have so many bytes of addresses more than when it was made. (OpenBLAS
/// does not end without some.)
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    const rlimit limit{pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_;
};

/// Whether a MemoryLimit holds: sanitizers take terabytes of addresses themselves, and an emulated processor
/// has no limit.
inline bool memory_can_be_limited() {
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  static const bool holds = holds_in_child_process([] {
    constexpr std::size_t megabyte = std::size_t(1) << 20;
    const MemoryLimit limit(megabyte);
    return mmap(nullptr, 100 * megabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
  });
  return holds;
#endif
}

}  // namespace gradual
