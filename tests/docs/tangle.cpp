// Makes a program of a page, so that no code and no number in docs/ is a dead copy.
//
//   tangle write PAGE.md PROGRAM.cpp     writes the program
//   tangle check PAGE.md PROGRAM         runs it, and compares what each cell prints with what the page shows
//   tangle figures PAGE.md PROGRAM       runs it, and writes the pictures that it shows
//
// All live cells of a page share one main(), in order. A cell with includes, functions or types stands before
// main() instead: the line above its fence is <!-- file scope -->. A cell without a `text` fence after it
// prints nothing. A picture that a cell shows, by `show` of notebooks/notebook.hpp, must be the one in
// figures/ beside the page, and the page must link to it.
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cells.hpp"
#include "output.hpp"

namespace files = std::filesystem;

namespace {

constexpr char cell_marker = '\036';  // begins the output of each cell

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

// What each cell of the program prints; of a program that fails, up to the cell that fails.
std::vector<Output> run(const std::string& program, int& status) {
  std::FILE* pipe = ::popen(("'" + program + "'").c_str(), "r");
  if (!pipe) throw std::runtime_error(program + ": cannot be run");
  std::string printed;
  for (int c = std::getc(pipe); c != EOF; c = std::getc(pipe)) printed += static_cast<char>(c);
  status = ::pclose(pipe);
  std::vector<Output> outputs;
  const std::vector<std::string> pieces = pieces_of(printed, cell_marker);
  for (std::size_t i = 1; i < pieces.size(); ++i) outputs.push_back(output_of(pieces[i]));
  return outputs;
}

// Runs the program to its end.
std::vector<Output> run_whole(const std::string& page, const std::vector<Cell>& cells,
                              const std::string& program) {
  int status = 0;
  std::vector<Output> outputs = run(program, status);
  if (outputs.size() > cells.size() || (outputs.size() < cells.size() && status == 0))
    throw std::runtime_error(program + ": this is not the program of " + page);
  if (status != 0)
    fail(page, outputs.empty() ? 1 : cells[outputs.size() - 1].line,
         "the program failed in this cell: status " + std::to_string(status));
  return outputs;
}

std::string path_of(const Figure& figure, const std::string& page) {
  return (files::path(page).parent_path() / "figures" / (figure.name + ".svg")).string();
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool links_to(const Page& page, const Figure& figure) {
  for (const Line& line : page.prose)
    if (line.text.find("](figures/" + figure.name + ".svg)") != std::string::npos) return true;
  return false;
}

// What is wrong with one cell's output; empty if nothing is.
std::string difference(const Page& page, const Cell& cell, const Output& output) {
  std::string problems;
  const std::string shown = visible(cell.expected), printed = visible(output.text);
  if (shown != printed) problems += "the page shows\n" + shown + "but this cell printed\n" + printed;
  for (const Figure& figure : output.figures) {
    if (content_of(path_of(figure, page.path)) != figure.svg)
      problems += "the picture " + figure.name + " is not the one in " + path_of(figure, page.path) +
                  "; to write it: tangle figures\n";
    if (!links_to(page, figure)) problems += "the page has no link to figures/" + figure.name + ".svg\n";
  }
  return problems;
}

void compare(const Page& page, const std::vector<Cell>& cells, const std::string& program) {
  const std::vector<Output> outputs = run_whole(page.path, cells, program);
  bool equal = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string problems = difference(page, cells[i], outputs[i]);
    if (problems.empty()) continue;
    equal = false;
    std::cerr << page.path << ":" << cells[i].line << ": " << problems;
  }
  if (!equal) throw std::runtime_error(page.path + ": the page does not show what its program prints");
}

void write_figures(const std::string& page, const std::vector<Cell>& cells, const std::string& program) {
  for (const Output& output : run_whole(page, cells, program))
    for (const Figure& figure : output.figures) {
      files::create_directories(files::path(path_of(figure, page)).parent_path());
      std::ofstream(path_of(figure, page), std::ios::binary) << figure.svg;
      std::cout << path_of(figure, page) << "\n";
    }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string task = argc == 4 ? argv[1] : "";
    if (task != "write" && task != "check" && task != "figures")
      throw std::runtime_error(
          "usage: tangle write PAGE.md PROGRAM.cpp | tangle check PAGE.md PROGRAM | tangle figures PAGE.md "
          "PROGRAM");
    const Page page = read_page(argv[2]);
    const std::vector<Cell> cells = cells_of(page);
    if (task == "write")
      std::ofstream(argv[3]) << program_of(argv[2], cells);
    else if (task == "check")
      compare(page, cells, argv[3]);
    else
      write_figures(argv[2], cells, argv[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
