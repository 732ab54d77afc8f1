#include <io.h>
#include <windows.h>

#include "console.hpp"

bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)); }

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &console) ? console.dwSize.X : 0;
}
