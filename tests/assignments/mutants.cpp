// Automatic mutants of what students are to write: does every small change of a right function lose its
// points?
//
//   assignment_mutants [03 | 03.2] [--list]
//
// An operator, a number, a function or a letter of a part's readable text is exchanged for another, or a
// statement left out; all mutants of a part are compiled into one program, as mistakes are, and each is
// judged by the cases. Survivors are printed with their lines. Those that equivalents.txt lists compute the
// same as the original: they are counted apart.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "diagnosis.hpp"
#include "library_text.hpp"

using namespace gradual;

namespace {

struct Mutant {
  std::string line;  // "5: mean += row[i]   becomes   mean -= row[i]"
  Mistake change;    // of the whole body
};

struct Exchange {
  std::regex from;
  std::vector<std::string> to;
};

const std::vector<Exchange>& exchanges() {
  static const std::vector<Exchange> all = [] {
    std::vector<Exchange> list;
    const auto add = [&](const char* from, std::vector<std::string> to) {
      list.push_back({std::regex(from), std::move(to)});
    };
    add(R"( \+ )", {" - "});
    add(R"( - )", {" + "});
    add(R"( \* )", {" / "});
    add(R"( / )", {" * "});
    add(R"( % )", {" / "});
    add(R"( < )", {" <= "});
    add(R"( > )", {" >= "});
    add(R"( >= )", {" > "});
    add(R"( <= )", {" < "});
    add(R"( == )", {" != "});
    add(R"( != )", {" == "});
    add(R"( && )", {" || "});
    add(R"( \|\| )", {" && "});
    add(R"( \+= )", {" -= ", " = "});
    add(R"( -= )", {" += "});
    add(R"( \*= )", {" /= "});
    add(R"(\btrue\b)", {"false"});
    add(R"(\bfalse\b)", {"true"});
    add(R"(\bstd::min\b)", {"std::max"});
    add(R"(\bstd::max\b)", {"std::min"});
    add(R"(\bstd::sin\b)", {"std::cos"});
    add(R"(\bstd::cos\b)", {"std::sin"});
    add(R"(\bstd::exp\b)", {"std::expm1"});
    add(R"(\bstd::sqrt\b)", {"std::abs"});
    add(R"(([^\w.-])0([^\w.]))", {"$011$02"});
    add(R"(([^\w.])1([^\w.]))", {"$012$02", "$010$02"});
    add(R"(([^\w.])2([^\w.]))", {"$013$02", "$011$02"});
    add(R"(\{-1\})", {"{0}"});
    // Letters of sizes and of places in them.
    add(R"(\bT\b)", {"S"});
    add(R"(\bS\b)", {"T"});
    add(R"(\bd\b)", {"D"});
    add(R"(\bD\b)", {"d", "rows"});
    add(R"(\bN\b)", {"W"});
    add(R"(\bb\b)", {"t"});
    add(R"(\bt\b)", {"s"});
    add(R"(\bs\b)", {"t"});
    add(R"(\bh\b)", {"b"});
    add(R"(\bq\b)", {"k"});
    add(R"(\bk\b)", {"q"});
    add(R"(\bqueries\b)", {"keys"});
    add(R"(\bkeys\b)", {"queries"});
    return list;
  }();
  return all;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

// All mutants of a function, line by line.
std::vector<Mutant> mutants_of(const std::string& definition) {
  const std::string body = body_of(definition);
  std::vector<std::string> lines;
  std::istringstream rest(body);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  std::vector<Mutant> mutants;
  const auto add = [&](std::size_t at, const std::string& changed) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == at ? changed : lines[i]) + "\n";
    text.pop_back();
    if (body.back() == '\n') text += "\n";
    const std::string name =
        std::to_string(at) + ": " + trimmed(lines[at]) + "   becomes   " + trimmed(changed);
    mutants.push_back({name, {name, "", {{body, text}}}});
  };
  static const std::regex statement(R"( *([\w.\[\]*+]|\(|\)| )+ [-+*/]?= [^{}]*;)"),
      declaration(
          R"( *(const|Real|Index|Tensor|Var|auto|KeyRange|double|bool|std::vector|NormGradients|FusedGradients)\b.*)");
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::string code = lines[at].substr(0, lines[at].find("//")),
                      comment = lines[at].substr(code.size());
    for (const Exchange& exchange : exchanges()) {
      for (std::sregex_iterator i(code.begin(), code.end(), exchange.from), end; i != end; ++i) {
        for (const std::string& to : exchange.to)
          add(at, code.substr(0, static_cast<std::size_t>(i->position())) + i->format(to) +
                      code.substr(static_cast<std::size_t>(i->position() + i->length())) + comment);
      }
    }
    if (std::regex_match(code, statement) && !std::regex_match(code, declaration)) add(at, "");
  }
  return mutants;
}

// The mutants in whose text the compiler saw an error, by the lines of its messages.
std::set<std::size_t> faulty(const std::string& source, const std::string& messages) {
  std::map<int, std::size_t> first_lines;
  std::istringstream lines(source);
  static const std::regex choice(R"( *case (\d+): \{.*)"),
      error(R"(mistakes\.cpp:(\d+):\d+: (fatal )?error)");
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    ++number;
    if (std::regex_match(line, found, choice)) first_lines[number] = std::stoul(found[1]);
  }
  std::set<std::size_t> found;
  for (std::sregex_iterator i(messages.begin(), messages.end(), error), end; i != end; ++i) {
    const auto after = first_lines.upper_bound(std::stoi((*i)[1]));
    if (after != first_lines.begin()) found.insert(std::prev(after)->second);
  }
  return found;
}

struct Count {
  int mutants = 0, survivors = 0, equivalents = 0;
};

Count judge_part(const Workshop& workshop, const Part& part, const std::set<std::string>& equivalents,
                 bool list) {
  const std::string source = readable_source(workshop, part);
  std::vector<Mutant> mutants = mutants_of(definition_of(source, part.signature, part.readable()));
  const std::vector<Case> cases = draw_cases(exercise(part.number()), 1, 2);
  std::string program;
  while (program.empty()) {
    std::vector<Mistake> changes;
    for (const Mutant& mutant : mutants) changes.push_back(mutant.change);
    const std::string text = source_of_mistakes(part, source, changes);
    try {
      program = probe_of_mistakes(workshop, part, "mutants", text);
    } catch (const std::runtime_error& error) {
      const std::set<std::size_t> bad = faulty(text, error.what());
      if (bad.empty()) throw;
      for (auto k = bad.rbegin(); k != bad.rend(); ++k)
        mutants.erase(mutants.begin() + static_cast<std::ptrdiff_t>(*k));
    }
  }
  Count count;
  for (std::size_t k = 0; k < mutants.size(); ++k) {
    const Answers given = answers_of(program, part, cases, 1, k);
    bool is_right = given.answers.size() == cases.size();
    for (std::size_t i = 0; i < cases.size() && is_right; ++i)
      is_right = given.answers[i] && agree(*given.answers[i], cases[i].expected, cases[i].inputs);
    const std::string name = part.number() + " " + mutants[k].line;
    if (list) std::cout << (is_right ? "survives  " : "loses     ") << name << "\n";
    ++count.mutants;
    if (!is_right) continue;
    if (equivalents.count(name) != 0) {
      ++count.equivalents;
    } else {
      ++count.survivors;
      if (!list) std::cout << name << "\n";
    }
  }
  std::cout << part.number() << ": " << count.mutants << " mutants, " << count.equivalents << " equivalent, "
            << count.survivors << " survive" << std::endl;
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  const Workshop workshop = read_workshop(GRADUAL_WORKSHOP);
  const std::vector<Assignment> assignments = read_assignments(workshop.assignments);
  std::string name;
  bool list = false;
  for (int i = 1; i < count; ++i) {
    if (std::string(arguments[i]) == "--list")
      list = true;
    else
      name = arguments[i];
  }
  std::set<std::string> equivalents;
  std::ifstream known(GRADUAL_SOURCES "/tests/assignments/equivalents.txt");
  for (std::string line; std::getline(known, line);)
    if (!line.empty() && line[0] != '#') equivalents.insert(line);
  Count all;
  for (const Part& part : find_parts(assignments, name)) {
    if (part.goal) continue;  // settings have no function
    const Count own = judge_part(workshop, part, equivalents, list);
    all.mutants += own.mutants;
    all.survivors += own.survivors;
    all.equivalents += own.equivalents;
  }
  const int counted = all.mutants - all.equivalents;
  std::cout << all.mutants << " mutants, " << all.equivalents
            << " of them equivalent: " << counted - all.survivors << " of " << counted
            << " lose their points\n";
  return all.survivors * 50 > counted ? 1 : 0;  // 98 % are to be found
}
