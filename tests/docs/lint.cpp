// The rules that keep a chapter's cells alive in every C++ kernel: `lint PAGE.md...` names each cell that
// breaks one. `lint --wrong PAGE.md` is its own test: there, the `text` fence after each cell holds what must
// be found in it.
//
// xeus-cling (cling) and xeus-cpp (clang-repl) read a cell as one piece: cling wraps what follows a first
// definition in a function; clang 19 crashes on the lambdas that are forbidden here and reads `static`
// globals as 0 in the next cell; either kernel dies or loses its state when something is defined twice.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "cells.hpp"
#include "statements.hpp"

namespace {

// Whether tokens[i] begins a lambda; `captures` says whether it takes anything with it.
bool is_lambda(const Tokens& tokens, std::size_t i, bool& captures) {
  if (tokens[i] != "[") return false;
  if (i > 0 && (is_word(tokens[i - 1]) || tokens[i - 1] == ")" || tokens[i - 1] == "]") &&
      tokens[i - 1] != "return")
    return false;
  const std::size_t end = after_bracket(tokens, i);
  captures = end > i + 2;
  return end < tokens.size() && (tokens[end] == "(" || tokens[end] == "{");
}

class Rules {
 public:
  // What is wrong with a cell, a line for each rule that it breaks; `first` is the first cell of its page.
  std::string check(const Cell& cell, bool first) {
    problems_.clear();
    const Code code = read_code(cell.code);
    const std::vector<Statement> statements = statements_of(code.tokens);
    if (first &&
        (!cell.at_file_scope || cell.code != "#include \"notebook.hpp\"\nusing namespace gradual;\n"))
      report("the first cell, at file scope, is #include \"notebook.hpp\" and using namespace gradual;");
    check_directives(code.directives, statements);
    changed_.clear();
    for (const Statement& statement : statements) {
      check_definition(statement, statements.size(), cell.at_file_scope);
      if (statement.kind != Statement::function && statement.kind != Statement::type)
        check_top_level(statement);
      check_name(statement);
      if (!is_constant(statement)) changed_.insert(statement.tokens.begin(), statement.tokens.end());
    }
    if (!statements.empty() && !is_one_of(statements.back().tokens.back(), {";", "}"}))
      report("a value is shown by std::cout <<, not by a last line without a semicolon");
    return problems_;
  }

 private:
  void report(const std::string& problem) {
    if (problems_.find(problem) == std::string::npos) problems_ += problem + "\n";
  }

  void check_directives(const std::vector<std::string>& directives,
                        const std::vector<Statement>& statements) {
    for (const std::string& directive : directives) {
      const bool own = starts_with(directive, "#include \"notebook");
      if (!starts_with(directive, "#include ") ||
          (!own && directive.find_first_of("/\"") != std::string::npos))
        report(
            "a cell includes only \"notebook….hpp\", which has what chapters need, and standard headers: "
            "got " +
            directive);
    }
    for (const Statement& statement : statements)
      if (!directives.empty() && statement.kind != Statement::other)
        report("includes stand in a cell of their own");
  }

  void check_definition(const Statement& statement, std::size_t count, bool at_file_scope) {
    if (statement.kind != Statement::function && statement.kind != Statement::type) return;
    if (count > 1) report("each function and each class is defined in a cell of its own: " + statement.name);
    if (!at_file_scope)
      report(std::string("a definition has ") + file_scope + " above its cell: " + statement.name);
  }

  void check_top_level(const Statement& statement) {
    const Tokens& tokens = statement.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      bool captures = false;
      if (is_lambda(tokens, i, captures) && (captures || statement.kind != Statement::declaration))
        report(
            "no lambda at top level that captures, or that stands in an expression or a block: name a "
            "function");
      if (tokens[i] == "static") report("no static variables: the next cell may read 0");
      if (tokens[i] == "throw" && tokens[0] != "try")
        report("a deliberate error stands inside try { } catch");
      if (is_one_of(tokens[i], {"printf", "puts", "cerr", "clog", "xcpp"}))
        report("a value is shown by std::cout <<: got " + tokens[i]);
    }
    if (tokens[0] == "namespace" && tokens.back() == "}") report("no namespace of its own in a cell");
    if (statement.kind == Statement::declaration) check_variable(statement);
    if (is_constant(statement)) check_constant(statement);
  }

  void check_variable(const Statement& statement) {
    const Tokens& tokens = statement.tokens;
    for (std::size_t i = 0; i + 1 < statement.name_index; ++i)
      if (tokens[i] == "auto" && tokens[i + 1] == "&")
        report("a variable has a plain type, not auto&: " + statement.name);
    int depth = 0;
    for (std::size_t i = statement.name_index; i < tokens.size(); ++i) {
      depth += depth_change(tokens[i]);
      if (depth == 0 && tokens[i] == ",")
        report("each variable has a statement of its own: " + statement.name);
    }
  }

  static bool is_constant(const Statement& statement) {
    return statement.kind == Statement::declaration && statement.tokens[0] == "const";
  }

  // The kernels set the constants of a cell before anything else in it.
  void check_constant(const Statement& statement) {
    for (std::size_t i = statement.name_index + 1; i < statement.tokens.size(); ++i) {
      const std::string& word = statement.tokens[i];
      const auto named = names_.find(word);
      if (named != names_.end() && named->second == Statement::declaration && changed_.count(word))
        report("a constant is set before what stands above it in its cell: leave out the const of " +
               statement.name);
    }
  }

  void check_name(const Statement& statement) {
    if (statement.name.empty()) return;
    const auto [found, is_new] = names_.emplace(statement.name, statement.kind);
    const bool overload = found->second == Statement::function && statement.kind == Statement::function;
    if (!is_new && !overload) report("nothing is defined twice in a chapter: " + statement.name);
  }

  std::map<std::string, Statement::Kind> names_;  // in the chapter so far
  std::set<std::string> changed_;                 // words of the cell so far that are not in a constant
  std::string problems_;
};

bool is_number(const std::string& word) {
  std::size_t end = 0;
  try {
    std::stod(word, &end);
  } catch (const std::exception&) {
    return false;
  }
  return end == word.size();
}

// What is wrong with a comment that asks for an answer in numbers, <!-- answer: the weights -->: the site
// compares the answer with what the first cell of the solution prints. Empty if nothing is wrong.
std::string problem_of_answer(const Page& page, const Line& comment) {
  int end = 0;
  for (const Line& line : page.prose)
    if (line.number > comment.number && line.text == "</details>" && end == 0) end = line.number;
  for (const Fence& fence : page.fences) {
    if (fence.line < comment.number || fence.line > end || fence.language != "text") continue;
    std::istringstream words(fence.content);
    for (std::string word; words >> word;)
      if (!is_number(word)) return "an answer is compared with numbers: the solution prints " + word;
    return "";
  }
  return "an answer is compared with what the solution prints: it prints nothing";
}

// What a chapter with a number lacks for its exercises to answer: numbers that are compared, and code that is
// checked.
std::string problem_of_exercises(const Page& page) {
  if (page.prose.empty() || page.prose[0].text.find_first_of("0123456789") != 2) return "";
  bool inside = false, numbers = false, code = false;
  for (const Line& line : page.prose) {
    if (starts_with(line.text, "## ")) inside = line.text == "## Exercises";
    if (!inside) continue;
    if (starts_with(line.text, "<!-- answer: ")) numbers = true;
    for (const char* checked : {"`./run learn ", "`check_"})
      if (line.text.find(checked) != std::string::npos) code = true;
  }
  std::string problems;
  if (!numbers) problems += "no exercise is answered in numbers: <!-- answer: … -->\n";
  if (!code)
    problems +=
        "no code of a reader is checked: by a part of an assignment, `./run learn …`, or by `check_…`\n";
  return problems;
}

// A line of prose that a page or its notebook would show wrong; empty if it is good.
std::string problem_of(const std::string& line) {
  if (starts_with(line, "!!!") || starts_with(line, "???")) return "notebooks know no boxes of this kind";
  const std::string opening = "<details markdown=\"1\"><summary>", closing = "</summary>";
  if (line.find("<details") != std::string::npos &&
      (!starts_with(line, opening) || line.find(closing) != line.size() - closing.size()))
    return "a fold begins with the line " + opening + "Solution" + closing +
           ", or with another name, not indented";
  if (line.find("</details>") != std::string::npos && line != "</details>")
    return "</details> stands on a line of its own, not indented";
  return "";
}

bool lint(const Page& page) {
  bool good = true;
  const auto report = [&](int line, const std::string& problems) {
    if (problems.empty()) return;
    good = false;
    std::cerr << page.path << ":" << line << ": " << problems;
  };
  Rules rules;
  const std::vector<Cell> cells = cells_of(page);
  for (const Cell& cell : cells) report(cell.line, rules.check(cell, &cell == &cells.front()));
  for (const Line& line : page.prose) {
    std::string problem = problem_of(line.text);
    if (starts_with(line.text, "<!-- answer: ")) problem = problem_of_answer(page, line);
    if (!problem.empty()) report(line.number, problem + "\n");
  }
  report(1, problem_of_exercises(page));
  return good;
}

// Whether the rules find in each cell what the page says.
bool finds_what_is_wrong(const Page& page) {
  bool good = true;
  Rules rules;
  const std::vector<Cell> cells = cells_of(page);
  for (const Cell& cell : cells) {
    const std::string found = rules.check(cell, &cell == &cells.front());
    if (found == cell.expected) continue;
    good = false;
    std::cerr << page.path << ":" << cell.line << ": expected\n" << cell.expected << "but found\n" << found;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--wrong")
      return finds_what_is_wrong(read_page(argv[2])) ? 0 : 1;
    bool good = argc > 1;
    for (int i = 1; i < argc; ++i) good = lint(read_page(argv[i])) && good;
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
