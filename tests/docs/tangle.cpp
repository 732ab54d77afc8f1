// Makes a program of a page, so that no code and no number in docs/ is a dead copy.
//
//   tangle write PAGE.md PROGRAM.cpp     writes the program
//   tangle check PAGE.md PROGRAM         runs it, and compares what each cell prints with what the page shows
//
// All live cells of a page share one main(), in order. A cell with includes, functions or types stands before
// main() instead: the line above its fence is <!-- file scope -->. A cell without a `text` fence after it
// prints nothing.
#include <cstdio>
#include <iostream>

#include "page.hpp"

namespace {

constexpr char marker = '\036';  // begins the output of each cell

struct Cell {
  int line;  // of its first line of code
  bool at_file_scope;
  std::string code, expected;
};

std::vector<Cell> cells_of(const Page& page) {
  std::vector<Cell> cells;
  for (const Fence& fence : page.fences) {
    if (fence.language == "c++")
      cells.push_back({fence.line + 1, fence.before == "<!-- file scope -->", fence.content, ""});
    else if (fence.language == "text" && starts_with(fence.before, "```c++"))
      cells.back().expected = fence.content;
  }
  return cells;
}

std::string program_of(const std::string& page, const std::vector<Cell>& cells) {
  const auto code = [&](const Cell& cell) {
    return "#line " + std::to_string(cell.line) + " \"" + page + "\"\n" + cell.code;
  };
  std::string program = "#include <iostream>\n";
  for (const Cell& cell : cells)
    if (cell.at_file_scope) program += code(cell);
  program += "int main() {\n";
  for (const Cell& cell : cells) {
    program += "std::cout << \"\\036\" << std::flush;\n";
    if (!cell.at_file_scope) program += code(cell);
  }
  return program + "}\n";
}

// What the program prints, cut where each cell begins; the first piece is empty.
std::vector<std::string> run(const std::string& program, int& status) {
  std::FILE* output = ::popen(("'" + program + "'").c_str(), "r");
  if (!output) throw std::runtime_error(program + ": cannot be run");
  std::vector<std::string> pieces{""};
  for (int c = std::getc(output); c != EOF; c = std::getc(output)) {
    if (c == marker)
      pieces.emplace_back();
    else
      pieces.back() += static_cast<char>(c);
  }
  status = ::pclose(output);
  return pieces;
}

// Without spaces at the ends of lines and empty lines at the end, which nobody sees on a page.
std::string visible(const std::string& output) {
  std::istringstream lines(output);
  std::string result, pending;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    pending += line + "\n";
    if (line.empty()) continue;
    result += pending;
    pending.clear();
  }
  return result;
}

void compare(const std::string& page, const std::vector<Cell>& cells, const std::string& program) {
  int status = 0;
  const std::vector<std::string> pieces = run(program, status);
  bool equal = true;
  for (std::size_t i = 0; i < cells.size() && i + 1 < pieces.size(); ++i) {
    const std::string shown = visible(cells[i].expected), printed = visible(pieces[i + 1]);
    if (shown == printed) continue;
    equal = false;
    std::cerr << page << ":" << cells[i].line << ": the page shows\n"
              << shown << "but this cell printed\n"
              << printed;
  }
  if (pieces.size() > cells.size() + 1 || (pieces.size() <= cells.size() && status == 0))
    throw std::runtime_error(program + ": this is not the program of " + page);
  if (status != 0)
    fail(page, pieces.size() > 1 ? cells[pieces.size() - 2].line : 1,
         "the program failed in this cell: status " + std::to_string(status));
  if (!equal) throw std::runtime_error(page + ": the page does not show what its program prints");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string task = argc == 4 ? argv[1] : "";
    if (task != "write" && task != "check")
      throw std::runtime_error("usage: tangle write PAGE.md PROGRAM.cpp | tangle check PAGE.md PROGRAM");
    const std::vector<Cell> cells = cells_of(read_page(argv[2]));
    if (task == "write")
      std::ofstream(argv[3]) << program_of(argv[2], cells);
    else
      compare(argv[2], cells, argv[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
