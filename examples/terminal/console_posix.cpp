#include <sys/ioctl.h>
#include <unistd.h>

#include "console.hpp"

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)); }

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
