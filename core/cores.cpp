#include <gradual/core/cores.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace gradual {
namespace {

namespace fs = std::filesystem;
constexpr double unlimited = std::numeric_limits<double>::infinity();

int cores_of_the_system() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

// The quota of one control group: microseconds of work in each period, "max" or -1 where there is no limit.
double quota_of(const fs::path& group) {
  std::string quota;
  double period = 0;
  if (std::ifstream second(group / "cpu.max"); second) {
    second >> quota >> period;
  } else {
    std::ifstream(group / "cpu.cfs_quota_us") >> quota;
    std::ifstream(group / "cpu.cfs_period_us") >> period;
  }
  const double work = std::strtod(quota.c_str(), nullptr);
  return work > 0 && period > 0 ? work / period : unlimited;
}

bool names_cpu(const std::string& controllers) {
  return controllers.empty() || ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

double core_quota(const std::string& root) {
  double least = unlimited;
  std::ifstream groups(fs::path(root) / "proc/self/cgroup");
  // Lines such as "0::/a/b" in version 2 and "3:cpu,cpuacct:/a/b" in version 1.
  for (std::string number, controllers, group; std::getline(groups, number, ':') &&
                                               std::getline(groups, controllers, ':') &&
                                               std::getline(groups, group);) {
    if (!names_cpu(controllers)) continue;
    const fs::path mount = fs::path(root) / "sys/fs/cgroup" / controllers;
    for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
      least = std::min(least, quota_of(mount / path));
      if (path.empty()) break;
    }
  }
  return least;
}

int usable_cores() {
  const double cores = std::min(static_cast<double>(cores_of_the_system()), core_quota());
  return std::max(1, static_cast<int>(cores));
}

}  // namespace gradual
