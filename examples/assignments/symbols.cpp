#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : symbol;
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

bool is_allowed(const std::string& symbol, const Part& part) {
  if (c_functions().count(symbol) != 0 || is_mathematics(symbol)) return true;
  const std::string name = plain(demangled(symbol));
  constexpr std::size_t longest = 10000;  // a longer one would fill the stack of what looks for patterns
  if (name.size() > longest) return false;
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

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

Symbols symbols_of(const std::string& object) {
  const std::string bytes = read_text(object);
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    throw std::runtime_error("assignments: what the compiler wrote is no object file");
  Symbols symbols;
  for (std::size_t s = 0; s < header.e_shnum; ++s) {
    const auto section = record_at<Elf64_Shdr>(bytes, header.e_shoff + s * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto names = record_at<Elf64_Shdr>(bytes, header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t i = 1; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = record_at<Elf64_Sym>(bytes, section.sh_offset + i * sizeof(Elf64_Sym));
      const std::size_t at = names.sh_offset + symbol.st_name;
      if (at >= bytes.size())
        throw std::runtime_error("assignments: what the compiler wrote is no object file");
      const std::string name = bytes.c_str() + at;
      const auto binding = ELF64_ST_BIND(symbol.st_info);
      if (name.empty() || binding == STB_LOCAL) continue;
      if (symbol.st_shndx == SHN_UNDEF)
        symbols.undefined.push_back(name);
      else if (binding == STB_GLOBAL)
        symbols.defined.push_back(name);  // what headers define is weak
    }
  }
  symbols.is_undone =
      std::any_of(symbols.undefined.begin(), symbols.undefined.end(),
                  [](const std::string& name) { return demangled(name) == "gradual::undone()"; });
  return symbols;
}

std::string objection(const Symbols& symbols, const Part& part) {
  const std::string own = "gradual::" + part.function();
  bool has_own = false;
  std::vector<std::string> more, calls;
  for (const std::string& symbol : symbols.defined) {
    const std::string name = plain(demangled(symbol));
    if (without_arguments(name) == own)
      has_own = true;
    else
      more.push_back(name);
  }
  for (const std::string& symbol : symbols.undefined)
    if (!is_allowed(symbol, part)) calls.push_back(plain(demangled(symbol)));
  std::string text;
  if (!has_own) text += "It does not define " + part.signature + ".\n";
  if (!more.empty())
    text += "It also defines " + join(more) + ": put functions of your own into the unnamed namespace { }.\n";
  if (!calls.empty())
    text +=
        "It calls " + join(calls) + ", which this part does without: write it with loops or with tensors.\n";
  return text;
}
