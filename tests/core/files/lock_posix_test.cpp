// A lock outlives no process, tried with one that is killed.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/core/files/lock.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("lock: to delete the file lets nobody in") {
  const TestFolder folder;
  const std::string path = folder / "lock";
  {
    const FileLock held(path, "taken");
    REQUIRE(::unlink(path.c_str()) == 0);
    CHECK_THROWS_WITH(FileLock(path, "taken"), Contains("taken"));
    CHECK_THROWS_WITH(FileLock(path, "taken"), Contains("taken"));
  }
  CHECK_NOTHROW(FileLock(path, "taken"));
}

TEST_CASE("lock: a process that is killed leaves nothing locked") {
  const TestFolder folder;
  const std::string path = folder / "lock";
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock held(path, "taken");
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char byte;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_THROWS_AS(FileLock(path, "taken"), FileError);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK_NOTHROW(FileLock(path, "taken"));
  ::close(ready[0]);
  ::close(ready[1]);
}
