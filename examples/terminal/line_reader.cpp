#include "line_reader.hpp"

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>

#include "console.hpp"

#ifdef GRADUAL_LIBEDIT
#include <editline/readline.h>
#endif

LineReader::LineReader(const std::string& path)
    : path_(path), interactive_(path.empty() && is_terminal(stdin) && is_terminal(stdout)) {
#ifdef GRADUAL_LIBEDIT
  if (interactive_) {
    // libedit reads letters by the locale, and in the "C" locale it drops those that are not ASCII.
    if (std::setlocale(LC_CTYPE, "") == nullptr || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
    rl_bind_key('\t', rl_insert);  // a sentence is typed, no name of a file
  }
#endif
  if (path.empty()) return;
  file_ = gradual::open_lines(path);
}

std::optional<std::string> LineReader::next() {
  std::optional<std::string> line = read("> ");
  while (interactive_ && line && !line->empty() && line->back() == '\\') {
    line->back() = ' ';
    // In ASCII: libedit crashes on a prompt that its locale cannot decode.
    const std::optional<std::string> more = read("| ");
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
  std::istream& lines = file_.is_open() ? static_cast<std::istream&>(file_) : std::cin;
  const std::string name = path_.empty() ? "standard input" : path_;
  if (gradual::read_line(lines, line, name, ++number_)) return line;
  if (file_.is_open() ? file_.bad() : std::ferror(stdin) != 0)  // std::cin itself takes an error for the end
    throw gradual::FileError(name, std::string("cannot be read: ") + std::strerror(errno));
  if (interactive_) std::cout << "\n";
  return std::nullopt;
}
