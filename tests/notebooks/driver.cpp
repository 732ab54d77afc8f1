// Runs notebooks in clang's interpreter, which is what the kernel xeus-cpp is made of: `driver
// NOTEBOOK.ipynb`.
//
// The working directory is the notebook's folder for a kernel, so here too it must hold notebook.hpp. Each
// cell has to print what is stored with it, and show the picture that its stored output links to (the link
// leads from the notebook).
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Interpreter/Interpreter.h>
#include <llvm/Support/TargetSelect.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "../docs/output.hpp"

namespace files = std::filesystem;
using Json = nlohmann::json;

namespace {

std::string place = "before the first cell";  // for the last words of a crash

std::string joined(const Json& lines) {
  std::string text;
  for (const Json& line : lines) text += line.get<std::string>();
  return text;
}

std::string content_of(const files::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is wrong with what a cell printed, given what is stored with it; empty if nothing is.
std::string difference(const Output& stored, const Output& printed) {
  const std::string expected = visible(stored.text), text = visible(printed.text);
  if (text != expected) return "the notebook holds\n" + expected + "but this cell printed\n" + text;
  if (stored.figures.size() != printed.figures.size())
    return "the notebook holds " + std::to_string(stored.figures.size()) +
           " pictures, but this cell showed " + std::to_string(printed.figures.size()) + "\n";
  for (std::size_t i = 0; i < stored.figures.size(); ++i)
    if (stored.figures[i].name != printed.figures[i].name || stored.figures[i].svg != printed.figures[i].svg)
      return "this cell showed another picture than " + stored.figures[i].name + "\n";
  return "";
}

Output stored_output(const Json& cell, const files::path& folder) {
  Output stored;
  for (const Json& output : cell["outputs"]) {
    if (output["output_type"] == "stream") {
      stored.text += joined(output["text"]);
    } else {  // ![what it shows](path/name.svg)
      const std::string link = output["data"]["text/markdown"];
      const std::size_t start = link.find("](") + 2;
      const files::path path = folder / link.substr(start, link.rfind(')') - start);
      stored.figures.push_back({path.stem().string(), content_of(path)});
    }
  }
  return stored;
}

std::unique_ptr<clang::Interpreter> make_interpreter() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();  // newer standard headers have assembly in them
  clang::IncrementalCompilerBuilder builder;
  builder.SetCompilerArgs({"-std=c++17"});
  return llvm::cantFail(clang::Interpreter::create(llvm::cantFail(builder.CreateCpp())));
}

// Runs one cell and returns what it printed. A cell `%%file NAME` is a file, as the kernels have it.
std::string run(clang::Interpreter& interpreter, const std::string& code) {
  const std::string magic = "%%file ";
  if (code.rfind(magic, 0) == 0) {
    const std::size_t end = code.find('\n');
    std::ofstream file(code.substr(magic.size(), end - magic.size()), std::ios::binary);
    if (!(file << code.substr(end + 1) << '\n')) throw std::runtime_error(place + " cannot write its file");
    return "";
  }
  std::ostringstream printed;
  std::streambuf* const screen = std::cout.rdbuf(printed.rdbuf());
  llvm::Error error = interpreter.ParseAndExecute(code);
  std::cout.rdbuf(screen);
  if (error) throw std::runtime_error(place + " does not run: " + llvm::toString(std::move(error)));
  return printed.str();
}

// Returns how many seconds each cell took.
std::vector<double> run_notebook(const files::path& path) {
  const Json notebook = Json::parse(content_of(path));
  clang::Interpreter* const interpreter =
      make_interpreter().release();  // its end can crash: main leaves without it
  std::vector<double> seconds;
  std::string problems;
  for (const Json& cell : notebook["cells"]) {
    if (cell["cell_type"] != "code") continue;
    place = path.filename().string() + ", cell " + std::to_string(seconds.size() + 1);
    const auto start = std::chrono::steady_clock::now();
    const Output printed = output_of(run(*interpreter, joined(cell["source"])));
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    const std::string problem = difference(stored_output(cell, path.parent_path()), printed);
    if (!problem.empty()) problems += place + ": " + problem;
  }
  if (!problems.empty()) throw std::runtime_error(problems);
  return seconds;
}

void say_where(int signal) {
  std::fprintf(stderr, "%s: stopped by signal %d\n", place.c_str(), signal);
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  int status = 1;
  std::signal(SIGABRT, say_where);  // an exception that no cell catches ends here
  std::signal(SIGSEGV, say_where);
  try {
    if (argc != 2) throw std::runtime_error("usage: driver NOTEBOOK.ipynb");
    const std::vector<double> seconds = run_notebook(argv[1]);
    double rest = 0;
    for (std::size_t i = 1; i < seconds.size(); ++i) rest = std::max(rest, seconds[i]);
    std::printf("%zu cells; the first took %.2f s, the longest of the others %.3f s\n", seconds.size(),
                seconds.at(0), rest);
    status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  std::_Exit(status);
}
