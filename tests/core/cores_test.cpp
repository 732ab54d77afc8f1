#include <gradual/core/cores.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

// The cores that a system's control groups allow; `files` are paths and what stands in them.
double quota(const std::vector<std::pair<std::string, std::string>>& files) {
  const TestFolder root;
  for (const auto& [file, words] : files) {
    std::filesystem::create_directories(std::filesystem::path(root / file).parent_path());
    root.write(file, words);
  }
  return core_quota(root / "");
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("cores: a quota of control groups, version 2, is the smallest on the way to the root") {
  const std::pair<std::string, std::string> me{"proc/self/cgroup", "0::/pod/box\n"};
  CHECK(quota({me, {"sys/fs/cgroup/pod/box/cpu.max", "250000 100000\n"}}) == 2.5);
  CHECK(quota({me, {"sys/fs/cgroup/pod/box/cpu.max", "max 100000\n"}}) == unlimited);
  CHECK(quota({me,
               {"sys/fs/cgroup/pod/box/cpu.max", "max 100000\n"},
               {"sys/fs/cgroup/pod/cpu.max", "50000 100000\n"}}) == 0.5);
  CHECK(quota({me,
               {"sys/fs/cgroup/pod/box/cpu.max", "300000 100000\n"},
               {"sys/fs/cgroup/pod/cpu.max", "800000 100000"}}) == 3);
  CHECK(quota({{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", "150000 100000\n"}}) == 1.5);
}

TEST_CASE("cores: a quota of control groups, version 1, is found where the controller is") {
  const std::pair<std::string, std::string> me{"proc/self/cgroup",
                                               "7:blkio:/other\n3:cpu,cpuacct:/docker/1a2b\n0::/\n"};
  const std::string folder = "sys/fs/cgroup/cpu,cpuacct/";
  CHECK(quota({me,
               {folder + "docker/1a2b/cpu.cfs_quota_us", "200000\n"},
               {folder + "docker/1a2b/cpu.cfs_period_us", "100000\n"}}) == 2);
  // In a container, the group that the file names is seen as the root.
  CHECK(quota({me, {folder + "cpu.cfs_quota_us", "75000\n"}, {folder + "cpu.cfs_period_us", "50000\n"}}) ==
        1.5);
  CHECK(quota({me, {folder + "cpu.cfs_quota_us", "-1\n"}, {folder + "cpu.cfs_period_us", "100000\n"}}) ==
        unlimited);
  CHECK(quota({{"proc/self/cgroup", "3:cpuset,cpuacct:/\n"},
               {"sys/fs/cgroup/cpuset,cpuacct/cpu.cfs_quota_us", "75000\n"},
               {"sys/fs/cgroup/cpuset,cpuacct/cpu.cfs_period_us", "50000\n"}}) == unlimited);
}

TEST_CASE("cores: where nothing is said, or nonsense, there is no quota") {
  CHECK(quota({}) == unlimited);
  CHECK(quota({{"proc/self/cgroup", "0::/\n"}}) == unlimited);
  for (const char* words : {"", "max", "0 0", "100000 0", "-5 100000", "nonsense", "100000"})
    CHECK(quota({{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", words}}) == unlimited);
  CHECK(quota({{"proc/self/cgroup", "nonsense"}, {"sys/fs/cgroup/cpu.max", "100000 100000"}}) == unlimited);
}

#ifdef __linux__
TEST_CASE("cores: a process that is bound to one core has one") {
  int bound = 0;
  std::thread([&] {  // a thread's mask goes with it
    cpu_set_t allowed, first;
    REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    int core = 0;
    while (!CPU_ISSET(core, &allowed)) ++core;
    CPU_ZERO(&first);
    CPU_SET(core, &first);
    REQUIRE(sched_setaffinity(0, sizeof first, &first) == 0);
    bound = usable_cores();
  })
      .join();
  CHECK(bound == 1);
  CHECK(usable_cores() >= 1);
}
#endif
