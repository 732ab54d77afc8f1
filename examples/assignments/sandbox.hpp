// A program run where it can do no harm: the compiler on a student's file, and the student's function.
//
// Four layers, each on its own, so that what one system forbids the others still keep:
//
//   limits      on time, memory, the size of files and their number; all its processes are ended together
//   calls       a filter of system calls (seccomp): no new processes, no sockets, no signals to others
//   files       Landlock: only what is named can be read, only one folder written
//   namespaces  no network, no other processes to be seen, everything but that folder mounted read-only
#pragma once

#include <sys/resource.h>

#include <string>
#include <vector>

struct Confinement {
  int seconds = 2;                            // of computing; ten times as many may pass
  std::size_t memory = std::size_t(1) << 30;  // bytes of addresses
  std::vector<std::string> readable;          // files and folders, besides the system's
  std::string writable;                       // a folder
  bool may_start_processes = false;           // a compiler does
  // "NAME=value"; it has no other. More threads would ask for memory that the limit does not give.
  std::vector<std::string> environment{"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "LC_ALL=C.UTF-8"};
};

struct Outcome {
  bool timed_out = false;
  bool printed_too_much = false;
  int signal = 0;        // that ended it, or 0
  int status = 0;        // else its exit status
  double computing = 0;  // seconds, of it and all that it started; 0 where it had no end
  std::string output;    // of both kinds; of more than 64 KiB the first and the last 32
  std::string layers;    // "limits, calls, files, namespaces": those that were active

  bool succeeded() const { return !timed_out && !printed_too_much && signal == 0 && status == 0; }
  /// It took too long, or printed too much.
  bool had_no_end() const;
  /// Empty, or "took too long …", "was ended by a segmentation fault …", "ended with status 3."
  std::string problem() const;
};

/// A signal by which a person ended the grader. No std::exception: nobody is to take it for a failure and go
/// on.
struct Interrupted {
  int signal;
};

/// While one of these lives, SIGINT, SIGTERM and SIGHUP are noted, unless they are ignored. run_confined has
/// one.
class SignalsNoted {
 public:
  SignalsNoted();
  ~SignalsNoted();
  SignalsNoted(const SignalsNoted&) = delete;
  SignalsNoted& operator=(const SignalsNoted&) = delete;
  /// Throws Interrupted where one came; to be called at the end, too, or it is lost.
  void check() const;
};

/// Limits what the calling process may take of a resource, for good: for a child, before what is not trusted.
void limit(int resource, rlim_t most);

/// Runs the program with its arguments, and returns when it and all that it started have ended. Throws
/// std::system_error, with its name, where it cannot be started, and Interrupted, when it has ended, where
/// SIGINT, SIGTERM or SIGHUP came: then folders are removed on the way out.
Outcome run_confined(const std::vector<std::string>& command, const Confinement& confinement);

/// Whether a program says that it failed because of the machine: it found no space, or was killed though it
/// had time left. Believes the program, so it is for compilers and the like.
bool blames_machine(const Outcome& outcome, const Confinement& confinement);
/// Throws std::runtime_error, with what the program said, where it does.
void require_machine(const Outcome& outcome, const Confinement& confinement);
