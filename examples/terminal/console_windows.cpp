#include <io.h>
#include <windows.h>

#include "console.hpp"

bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)); }

bool shows_colours(std::FILE* stream) {
  constexpr DWORD understands_codes = 4;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING
  const HANDLE console = GetStdHandle(stream == stderr ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  return GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | understands_codes);
}

void outlive_reader() {}

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &console) ? console.dwSize.X : 0;
}
