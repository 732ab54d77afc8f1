#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>
#include <system_error>

#include "sandbox.hpp"

namespace {

constexpr std::size_t longest_name = 10000;  // a longer name would fill the stack of what looks for patterns
constexpr std::size_t most_of_names = 4 << 20;  // of all names; of a right solution's, some ten thousand

// In C++, of a name that the compiler made of one; else as it is. A global int may be called f, which is
// float in the code of the compiler.
std::string demangled(const std::string& symbol) {
  if (symbol.rfind("_Z", 0) != 0) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && std::strlen(name.get()) <= longest_name ? name.get() : symbol;
}

std::size_t bytes_of_addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Prints the names, each with a zero at its end, until all are printed or a limit ends the process.
[[noreturn]] void print_demangled(const std::vector<std::string>& symbols, int to) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 1);
  limit(RLIMIT_AS, bytes_of_addresses() + (std::size_t(256) << 20));
  for (const std::string& symbol : symbols) {
    const std::string name = demangled(symbol);
    if (write(to, name.c_str(), name.size() + 1) != static_cast<ssize_t>(name.size() + 1)) break;
  }
  _exit(0);
}

// The names in C++, in a process of its own with limits: of a name of a few hundred letters each can double
// what the others stand for. Those that it does not come to are missing at the end.
std::vector<std::string> all_demangled(const std::vector<std::string>& symbols) {
  int names[2];
  if (pipe2(names, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "assignments: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "assignments: no process");
  if (child == 0) print_demangled(symbols, names[1]);
  close(names[1]);
  std::string text;
  char buffer[1 << 16];
  for (ssize_t count = 1; count != 0 && text.size() < most_of_names;) {
    count = read(names[0], buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(names[0]);
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::vector<std::string> demangled;
  for (std::size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    demangled.push_back(text.substr(at, end - at));
  return demangled;
}

// A record of the file, or an error where the file ends before it.
template <class Record>
Record record_at(const std::string& bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Record))
    throw std::runtime_error("assignments: what the compiler wrote is no object file");
  Record record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  return record;
}

// The names of the library's functions without its inline namespace for the number type.
std::string plain(std::string name) {
  static const std::regex precision("gradual::float(32|64)::");
  return std::regex_replace(name, precision, "gradual::");
}

// Of the C library: mathematics, memory, and what compilers call by themselves or people print with.
const std::set<std::string>& c_functions() {
  static const std::set<std::string> names = {"memcpy",
                                              "memset",
                                              "memmove",
                                              "memcmp",
                                              "strlen",
                                              "strcmp",
                                              "abort",
                                              "printf",
                                              "puts",
                                              "putchar",
                                              "fprintf",
                                              "fputs",
                                              "fputc",
                                              "fwrite",
                                              "fflush",
                                              "stdout",
                                              "stderr",
                                              "malloc",
                                              "free",
                                              "calloc",
                                              "realloc",
                                              "__assert_fail",
                                              "__muldc3",  // of complex numbers
                                              "__mulsc3",
                                              "__divdc3",
                                              "__divsc3",
                                              "__dso_handle",
                                              "__stack_chk_fail",
                                              "_GLOBAL_OFFSET_TABLE_",
                                              "__tls_get_addr",
                                              "_Unwind_Resume",
                                              "__libc_single_threaded",
                                              "__pthread_key_create"};
  return names;
}

bool is_mathematics(const std::string& name) {
  static const std::regex pattern(
      "(__)?(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|erfc?|tgamma|"
      "lgamma|fabs|"
      "fmax|fmin|fma|fmod|remainder|floor|ceil|round|lround|llround|trunc|nearbyint|rint|lrint|ldexp|frexp|"
      "copysign|nan|sincos)[fl]?(_finite)?");
  return std::regex_match(name, pattern);
}

// A function of the C library is called by `symbol`, any other by its name in C++.
bool is_allowed(const std::string& symbol, const std::string& name, const Part& part) {
  if (name.size() > longest_name) return false;
  if (c_functions().count(symbol) != 0 || is_mathematics(symbol)) return true;
  static const std::regex language(
      "(std::|__cxxabiv1::|__cxa_|__gxx_|operator (new|delete)|(vtable|typeinfo|VTT|typeinfo name|guard "
      "variable) "
      "for (std|__cxxabiv1)::|typeinfo for [a-z ]+$).*");
  // A template of the standard library begins with what it returns.
  static const std::regex of_std(R"((\w|[ *&:<>,])*\bstd::.*)");
  static const std::regex of_tensors(
      "(non-virtual thunk to "
      ")?gradual::((Tensor|Shape|Indices|Block|FileError|Var|Gradient|Node)::.*|threads::.*|"
      "a_program_has_one_precision|operator(<<|==|!=).*|minus_infinity)");
  if (std::regex_match(name, language) || std::regex_match(name, of_tensors)) return true;
  if (name.find("gradual::") == std::string::npos && std::regex_match(name, of_std)) return true;
  const std::string function = without_arguments(name);
  return std::any_of(part.uses.begin(), part.uses.end(),
                     [&](const std::string& use) { return function == "gradual::" + use; });
}

std::string shortened(const std::string& name) {
  constexpr std::size_t most = 200;
  return name.size() > most ? name.substr(0, most) + "…" : name;
}

std::string join(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (text.empty() ? "" : ", ") + shortened(names[i]);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace

Symbols symbols_of(const std::string& object) {
  const std::string bytes = read_text(object);
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    throw std::runtime_error("assignments: what the compiler wrote is no object file");
  Symbols symbols;
  std::size_t size = 0;
  for (std::size_t s = 0; s < header.e_shnum; ++s) {
    const auto section = record_at<Elf64_Shdr>(bytes, header.e_shoff + s * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto names = record_at<Elf64_Shdr>(bytes, header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t i = 1; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = record_at<Elf64_Sym>(bytes, section.sh_offset + i * sizeof(Elf64_Sym));
      const std::size_t at = names.sh_offset + symbol.st_name;
      if (at >= bytes.size())
        throw std::runtime_error("assignments: what the compiler wrote is no object file");
      const std::string name(bytes.c_str() + at, strnlen(bytes.c_str() + at, longest_name + 1));
      const auto binding = ELF64_ST_BIND(symbol.st_info);
      if (name.empty() || binding == STB_LOCAL) continue;
      size += name.size() + 1;
      symbols.are_too_many = size > most_of_names;
      if (symbols.are_too_many) return symbols;
      if (symbol.st_shndx == SHN_UNDEF)
        symbols.undefined.push_back(name);
      else if (binding == STB_GLOBAL)
        symbols.defined.push_back(name);  // what headers define is weak
    }
  }
  const std::string undone = "_ZN7gradual6undoneEv";  // gradual::undone()
  symbols.is_undone = std::count(symbols.undefined.begin(), symbols.undefined.end(), undone) != 0;
  return symbols;
}

std::string objection(const Symbols& symbols, const Part& part) {
  std::vector<std::string> all = symbols.defined;
  all.insert(all.end(), symbols.undefined.begin(), symbols.undefined.end());
  const std::vector<std::string> names = all_demangled(all);
  if (symbols.are_too_many || names.size() < all.size())
    return "It has more or longer names than can be looked at" +
           (symbols.are_too_many ? "" : ": " + shortened(all[names.size()])) + ".\n";
  const std::string own = "gradual::" + part.function();
  bool has_own = false;
  std::vector<std::string> more, calls;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = plain(names[i]);
    if (i >= symbols.defined.size()) {
      if (!is_allowed(all[i], name, part)) calls.push_back(name);
    } else if (without_arguments(name) == own) {
      has_own = true;
    } else {
      more.push_back(name);
    }
  }
  std::string text;
  if (!has_own) text += "It does not define " + part.signature + ".\n";
  if (!more.empty())
    text += "It also defines " + join(more) + ": put functions of your own into the unnamed namespace { }.\n";
  if (!calls.empty())
    text +=
        "It calls " + join(calls) + ", which this part does without: write it with loops or with tensors.\n";
  return text;
}
