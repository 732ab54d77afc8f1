// How many cores this process may use.
#pragma once

#include <string>

namespace gradual {

/// How many threads of this process can run at the same moment, at least 1: the cores that the system lets it
/// use (`taskset`, cpusets) and, in a container, the whole part of its quota (cpu.max of Linux's control
/// groups, or cpu.cfs_quota_us of their first version). A thread beyond a quota makes all of them wait.
int usable_cores();

/// What control groups allow, in cores: the smallest quota on the way from this process's group to the root;
/// infinite where there is none. The system's files are looked for below `root`.
double core_quota(const std::string& root = "/");

}  // namespace gradual
