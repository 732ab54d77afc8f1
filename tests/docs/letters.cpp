// The table of chapter 15, which has the losses of models of our sentences beside those of Shakespeare:
//
//   letters rows CHAPTER.md                its rows must be the models of the chapter's cell, in their
//                                          order, with the losses that it prints
//   letters write CHAPTER.md PROGRAM.cpp   writes a program that trains these models of another text, with
//                                          the sizes that stand under the table
//   letters check CHAPTER.md PROGRAM       runs it with the text that SHAKESPEARE names, and compares; ends
//                                          with 77 where it names none
//
// A loss may differ by 0.03 from the table: with the matrix products of another processor, which round
// differently, training ended up to 0.014 away.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <regex>

#include "cells.hpp"

namespace {

constexpr double tolerance = 0.03;

struct Row {
  std::string name;
  double ours, shakespeare;
};

struct Loss {
  std::string name;
  double value;
};

// Below the line of titles that the table begins with; the first row is no model, but a choice among all
// letters.
std::vector<Row> rows_of(const Page& page) {
  const std::regex row(R"(\| (.+) \| ([0-9.]+) \| ([0-9.]+) \|)");
  std::vector<Row> rows;
  bool inside = false;
  for (const Line& line : page.prose) {
    std::smatch found;
    if (starts_with(line.text, "| loss for a letter")) inside = true;
    if (!starts_with(line.text, "|")) inside = false;
    if (inside && std::regex_match(line.text, found, row))
      rows.push_back({found[1], std::stod(found[2]), std::stod(found[3])});
  }
  if (rows.empty()) throw std::runtime_error(page.path + ": there is no table of losses");
  return rows;
}

const Line& line_with(const Page& page, const std::string& words) {
  for (const Line& line : page.prose)
    if (line.text.find(words) != std::string::npos) return line;
  throw std::runtime_error(page.path + ": no line says " + words);
}

// What stands under the table, as the numbers of `Sizes`.
std::string sizes_of(const Page& page) {
  const Line& line = line_with(page, "*Shakespeare: width ");
  const std::regex sizes(
      "width ([0-9]+), windows of ([0-9]+) letters, ([0-9]+) of them in a step, ([0-9,]+) steps, a rate of "
      "(0[.][0-9]+)");
  std::smatch found;
  if (!std::regex_search(line.text, found, sizes)) fail(page.path, line.number, "these are no sizes");
  const std::string steps = std::regex_replace(found[4].str(), std::regex(","), "");
  return found[1].str() + ", " + found[2].str() + ", " + found[3].str() + ", " + steps + ", " +
         found[5].str();
}

// The one cell that has these words in it.
Cell cell_with(const Page& page, const std::vector<Cell>& cells, const std::string& words) {
  const Cell* only = nullptr;
  for (const Cell& cell : cells) {
    if (cell.code.find(words) == std::string::npos) continue;
    if (only) fail(page.path, cell.line, "a second cell has " + words);
    only = &cell;
  }
  if (!only) throw std::runtime_error(page.path + ": no cell has " + words);
  return *only;
}

void replace(const Page& page, Cell& cell, const std::string& words, const std::string& others) {
  const std::size_t place = cell.code.find(words);
  if (place == std::string::npos) fail(page.path, cell.line, "this cell should have " + words);
  cell.code.replace(place, words.size(), others);
}

constexpr char trains[] = "models.push_back({\"bigram\"";
constexpr char counts[] = "different letters and signs";

std::string program_of(const Page& page) {
  const std::vector<Cell> cells = cells_of(page);
  const int text = cell_with(page, cells, "std::string whole_text()").line;
  const int training = cell_with(page, cells, trains).line;
  std::string outside = "#include <fstream>\n", inside;
  for (Cell cell : cells) {
    if (cell.line > training) break;
    if (cell.line == text)
      cell.code =
          "std::string whole_text() {\n"
          "  std::ifstream in(std::getenv(\"SHAKESPEARE\"), std::ios::binary);\n"
          "  return {std::istreambuf_iterator<char>(in), {}};\n"
          "}\n";
    if (cell.line == training) {
      replace(page, cell, "Sizes sizes;", "Sizes sizes{" + sizes_of(page) + "};");
      replace(page, cell, "std::round(10 * losses.back()) / 10", "losses.back()");
    }
    (cell.at_file_scope ? outside : inside) += cell.code;
  }
  return outside + "int main() {\n" + inside + "}\n";
}

// The models of a cell's output, a line for each: a loss and a name.
std::vector<Loss> losses_of(const std::string& output) {
  std::vector<Loss> losses;
  std::istringstream lines(output);
  const std::regex loss("([0-9.]+)  (.+)");
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, found, loss)) losses.push_back({found[2], std::stod(found[1])});
  return losses;
}

double letters_of(const std::string& output) {
  std::smatch found;
  if (!std::regex_search(output, found, std::regex("([0-9]+) " + std::string(counts))))
    throw std::runtime_error("how many letters there are is not printed: " + output);
  return std::stod(found[1]);
}

// Whether one column of the table is what was printed, each number to within `most`.
bool compare(const std::vector<Row>& rows, double Row::*column, const std::string& printed,
             const std::vector<Loss>& losses, double most) {
  std::vector<Loss> expected{{rows[0].name, std::log(letters_of(printed))}};
  expected.insert(expected.end(), losses.begin(), losses.end());
  bool equal = rows.size() == expected.size();
  if (!equal) std::cerr << "the table has " << rows.size() << " rows, not " << expected.size() << "\n";
  for (std::size_t i = 0; i < std::min(rows.size(), expected.size()); ++i) {
    const double allowed = i == 0 ? 0.00501 : most;  // the first is no training
    const bool right =
        rows[i].name == expected[i].name && std::abs(rows[i].*column - expected[i].value) <= allowed;
    (right ? std::cout : std::cerr) << (right ? "" : "WRONG: ") << rows[i].name << ": the table says "
                                    << rows[i].*column << ", the program " << expected[i].value << " ("
                                    << expected[i].name << ")\n";
    equal = equal && right;
  }
  return equal;
}

bool agrees_with_its_cell(const Page& page) {
  const std::vector<Cell> cells = cells_of(page);
  return compare(rows_of(page), &Row::ours, cell_with(page, cells, counts).expected,
                 losses_of(cell_with(page, cells, trains).expected), 1e-9);
}

bool agrees_with_training(const Page& page, const std::string& program) {
  std::FILE* pipe = ::popen(("'" + program + "'").c_str(), "r");
  if (!pipe) throw std::runtime_error(program + ": cannot be run");
  std::string printed;
  for (int c = std::getc(pipe); c != EOF; c = std::getc(pipe)) printed += static_cast<char>(c);
  if (::pclose(pipe) != 0) throw std::runtime_error(program + ": failed");
  return compare(rows_of(page), &Row::shakespeare, printed, losses_of(printed), tolerance);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string task = argc > 2 ? argv[1] : "";
    if (task == "rows" && argc == 3) return agrees_with_its_cell(read_page(argv[2])) ? 0 : 1;
    if (task == "write" && argc == 4) {
      std::ofstream(argv[3]) << program_of(read_page(argv[2]));
      return 0;
    }
    if (task != "check" || argc != 4)
      throw std::runtime_error(
          "usage: letters rows CHAPTER.md | letters write CHAPTER.md PROGRAM.cpp | letters check CHAPTER.md "
          "PROGRAM");
    const char* const text = std::getenv("SHAKESPEARE");
    if (!text || !std::ifstream(text)) {
      std::cout << "skipped: SHAKESPEARE should name tiny Shakespeare's input.txt, which docs/results.md "
                   "links to\n";
      return 77;
    }
    return agrees_with_training(read_page(argv[2]), argv[3]) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
