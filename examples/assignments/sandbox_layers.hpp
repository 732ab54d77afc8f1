// The layers of the sandbox that the kernel may or may not have. Each returns whether it is active, and is
// called in a child process before exec.
#pragma once

#include <string>
#include <vector>

/// A user, network, process and mount namespace of its own, all read-only but the folder. The calling process
/// stays in its process namespace; its next child is the first of the new one.
bool enter_namespaces(const std::string& writable);

/// Landlock: nothing can be read but the system's programs and libraries, `readable` and `writable`, nothing
/// written but in `writable`.
bool restrict_files(const std::vector<std::string>& readable, const std::string& writable);

/// Seccomp: new processes, sockets, signals to other processes and changes of namespaces fail.
bool filter_calls();
