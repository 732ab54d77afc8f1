#include "sandbox_layers.hpp"

#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <set>

namespace {

bool write_to(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return done;
}

bool set_read_only(const char* path, bool read_only, unsigned int flags) {
#ifdef SYS_mount_setattr
  struct {
    unsigned long long set, clear, propagation, user;
  } attributes = {read_only ? 1ULL : 0ULL, read_only ? 0ULL : 1ULL, 0, 0};  // MOUNT_ATTR_RDONLY
  return syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
#else
  (void)path, (void)read_only, (void)flags;
  return false;
#endif
}

// What programs of the system read to run, and a compiler.
// Not all of /usr, nor /opt: people put checkouts into /opt, /usr/local and /usr/src, with courses in them.
const char* const system_paths[] = {"/usr/bin",
                                    "/usr/include",
                                    "/usr/lib",
                                    "/usr/lib32",
                                    "/usr/lib64",
                                    "/usr/libexec",
                                    "/usr/libx32",
                                    "/usr/local/bin",
                                    "/usr/local/include",
                                    "/usr/local/lib",
                                    "/usr/local/lib64",
                                    "/lib",
                                    "/lib64",
                                    "/bin",
                                    "/etc/ld.so.cache",
                                    "/etc/alternatives",
                                    "/dev/null",
                                    "/dev/urandom",
                                    "/sys/devices/system/cpu"};

// The rights of Landlock's first version, which all later ones have too.
constexpr unsigned long long file_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr unsigned long long read_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr unsigned long long all_rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

// The shared libraries of this program, and the folders of libraries that they lie in: conda's are below the
// home of a person, and a student's program needs the same.
std::set<std::string> paths_of_libraries() {
  std::set<std::string> paths;
  const auto add = [](dl_phdr_info* library, std::size_t, void* to) {
    const std::filesystem::path path = library->dlpi_name, folder = path.parent_path();
    if (!path.is_absolute()) return 0;
    const bool is_of_libraries = folder.filename().string().rfind("lib", 0) == 0;
    static_cast<std::set<std::string>*>(to)->insert((is_of_libraries ? folder : path).string());
    return 0;
  };
  dl_iterate_phdr(add, &paths);
  return paths;
}

void allow(int rules, const char* path, unsigned long long rights) {
  const int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;  // not every system has all of them
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = rights;
  rule.parent_fd = place;
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    rule.allowed_access &= file_rights;  // a file has no rights of folders
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
}

}  // namespace

bool enter_namespaces(const std::string& writable) {
  const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC) != 0) return false;
  write_to("/proc/self/setgroups", "deny");
  write_to("/proc/self/uid_map", user + " " + user + " 1");
  write_to("/proc/self/gid_map", group + " " + group + " 1");
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount(writable.c_str(), writable.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
         set_read_only("/", true, AT_RECURSIVE) && set_read_only(writable.c_str(), false, 0);
}

bool restrict_files(const std::vector<std::string>& readable, const std::string& writable) {
  landlock_ruleset_attr handled = {};
  handled.handled_access_fs = all_rights;
  const int rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0));
  if (rules < 0) return false;
  for (const char* path : system_paths) allow(rules, path, read_rights);
  for (const std::string& path : paths_of_libraries()) allow(rules, path.c_str(), read_rights);
  for (const std::string& path : readable) allow(rules, path.c_str(), read_rights);
  allow(rules, "/dev/null", read_rights | LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow(rules, writable.c_str(), all_rights);
  const bool active = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return active;
}

bool filter_calls() {
  constexpr unsigned int refuse = SECCOMP_RET_ERRNO | EPERM, number = offsetof(seccomp_data, nr),
                         first_argument = offsetof(seccomp_data, args),
                         second_argument = first_argument + sizeof(seccomp_data::args[0]);
#if defined(__x86_64__)
  constexpr unsigned int here = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned int here = AUDIT_ARCH_AARCH64;
#else
  return false;
#endif
  const long refused[] = {
      SYS_socket,
      SYS_socketpair,
      SYS_ptrace,
      SYS_kill,
      SYS_tkill,
      SYS_rt_sigqueueinfo,
      SYS_rt_tgsigqueueinfo,
#ifdef SYS_pidfd_send_signal
      SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_open
      SYS_pidfd_open,
#endif
#ifdef SYS_pidfd_getfd
      SYS_pidfd_getfd,
#endif
      SYS_unshare,
      SYS_setns,
      SYS_mount,
      SYS_umount2,
      SYS_bpf,
      SYS_keyctl,
      SYS_io_uring_setup,
      SYS_userfaultfd,
      SYS_process_vm_writev,
      SYS_process_vm_readv,
#ifdef SYS_fork
      SYS_fork,
      SYS_vfork,
#endif
  };
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, here, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),  // another numbering on the same machine
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0,
               1),  // its flags lie in memory; libraries then use clone
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
  for (long call : refused) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned int>(call), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, refuse));
  }
  const std::vector<sock_filter> with_arguments = {
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),  // threads are welcome
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first_argument),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6),  // which lets a file send signals
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, second_argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETSIG, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN_EX, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4),  // limits of others end them by a signal
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first_argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),  // how abort() ends this process
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first_argument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned int>(getpid()), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, refuse),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  program.insert(program.end(), with_arguments.begin(), with_arguments.end());
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
