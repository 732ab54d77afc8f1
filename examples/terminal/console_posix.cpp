#include <csignal>

#include <sys/ioctl.h>
#include <unistd.h>

#include "console.hpp"

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)); }

bool shows_colours(std::FILE* stream) { return is_terminal(stream); }

void outlive_reader() { std::signal(SIGPIPE, SIG_IGN); }

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
