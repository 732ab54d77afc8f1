// Checks that each idea of a table has its place in the book: `ideas PAGE.md`, with rows of the form
//
//   | the idea | [where](chapter.md#heading) | words that stand there |
//
// Under that heading the words must stand, in this order; a line may end between them.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "sections.hpp"

namespace files = std::filesystem;

namespace {

std::vector<std::string> cells_of_row(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

void check_row(const std::string& path, const Line& line) {
  const std::vector<std::string> cells = cells_of_row(line.text);
  if (cells.size() != 3 || std::count(cells.begin(), cells.end(), "") > 0)
    fail(path, line.number, "a row has an idea, a link and the words that stand there");
  const std::size_t open = cells[1].find("]("), stroke = cells[1].find('#');
  if (open == std::string::npos || stroke == std::string::npos || cells[1].back() != ')')
    fail(path, line.number, "the second cell is a link to a heading");
  const std::string file = cells[1].substr(open + 2, stroke - open - 2);
  const std::string anchor = cells[1].substr(stroke + 1, cells[1].size() - stroke - 2);
  const std::vector<Section> sections =
      sections_of(read_page((files::path(path).parent_path() / file).string()));
  const Section* section = find_section(sections, anchor);
  if (!section) fail(path, line.number, "there is no heading #" + anchor + " in " + file);
  if (section->prose.find(cells[2]) == std::string::npos)
    fail(path, line.number, "#" + anchor + " of " + file + " does not hold \"" + cells[2] + "\"");
}

}  // namespace

int main(int argc, char** argv) {
  int rows = 0;
  bool good = argc == 2;
  try {
    if (!good) throw std::runtime_error("usage: ideas PAGE.md");
    for (const Line& line : read_page(argv[1]).prose) {
      if (!starts_with(line.text, "| ") || starts_with(line.text, "| idea")) continue;
      try {
        ++rows;
        check_row(argv[1], line);
      } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        good = false;
      }
    }
    if (rows == 0) throw std::runtime_error(std::string(argv[1]) + ": there is no row");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    good = false;
  }
  return good ? 0 : 1;
}
