#include "line_reader.hpp"

#include <cstdlib>
#include <iostream>
#include <memory>

#include <unistd.h>

#include <gradual/core/error.hpp>

#ifdef GRADUAL_LIBEDIT
#include <editline/readline.h>
#endif

LineReader::LineReader(const std::string& path) : interactive_(path.empty() && isatty(STDIN_FILENO)) {
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw gradual::FileError(path, "cannot be read");
}

std::optional<std::string> LineReader::next() {
  std::optional<std::string> line = read("> ");
  while (interactive_ && line && !line->empty() && line->back() == '\\') {
    line->back() = ' ';
    const std::optional<std::string> more = read("… ");
    if (!more) break;
    *line += *more;
  }
  return line;
}

std::optional<std::string> LineReader::read(const char* prompt) {
#ifdef GRADUAL_LIBEDIT
  if (interactive_) {
    const std::unique_ptr<char, decltype(&std::free)> typed(readline(prompt), &std::free);
    if (!typed) {
      std::cout << "\n";
      return std::nullopt;
    }
    if (*typed != '\0') add_history(typed.get());
    return typed.get();
  }
#endif
  if (interactive_) std::cout << prompt << std::flush;
  std::string line;
  if (std::getline(file_.is_open() ? static_cast<std::istream&>(file_) : std::cin, line)) return line;
  if (interactive_) std::cout << "\n";
  return std::nullopt;
}
