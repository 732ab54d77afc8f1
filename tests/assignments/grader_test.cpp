// The grader is graded: what a course stands on must hold for every assignment that there is.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>

#include <gradual/core/files/atomic_file.hpp>

#include "diagnosis.hpp"
#include "library_text.hpp"
#include "report.hpp"
#include "support/catch.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

const std::string tests = GRADUAL_SOURCES "/tests/assignments/";

const Workshop& workshop() {
  static const Workshop the_one = read_workshop(GRADUAL_WORKSHOP);
  return the_one;
}

const std::vector<Assignment>& assignments() {
  static const std::vector<Assignment> all = read_assignments(workshop().assignments);
  return all;
}

// Those that the tests go through: all, or the one that ASSIGNMENT=03 in the environment names.
std::vector<Assignment> tested_assignments() {
  const char* only = std::getenv("ASSIGNMENT");
  std::vector<Assignment> tested;
  for (const Assignment& assignment : assignments())
    if (!only || assignment.number == only) tested.push_back(assignment);
  return tested;
}

Verdict judged_text(const Part& part, const std::string& text) {
  return judge(workshop(), assignments(), part, text, 1, 2);
}

Verdict judged(const Part& part, const std::string& file) { return judged_text(part, read_text(file)); }

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string folder_name(const Assignment& assignment) {
  return fs::path(assignment.folder).filename().string();
}

// The files in tests/assignments/<assignment>/correct/ for a part: any number of ways to do it.
std::vector<std::string> correct_files(const Assignment& assignment, const Part& part) {
  std::vector<std::string> files;
  for (const std::string& file : files_in(tests + folder_name(assignment) + "/correct"))
    if (fs::path(file).filename().string().rfind(std::to_string(part.place) + "_", 0) == 0)
      files.push_back(file);
  return files;
}

template <class Check>
void for_each_part(Check check) {
  for (const Assignment& assignment : tested_assignments()) {
    for (const Part& part : assignment.parts) {
      if (part.goal) continue;  // settings: within_budget_test.cpp
      INFO("part " << part.number());
      check(assignment, part);
    }
  }
}

}  // namespace

TEST_CASE("assignments: starters and the first two hints hold no twelve tokens of what was cut out",
          "[each]") {
  for_each_part([](const Assignment& assignment, const Part& part) {
    const std::string source = library_source(workshop(), part);
    const std::vector<std::string> hints = read_hints(assignment, part);
    const auto check_against = [&](const std::string& definition) {
      if (!part.bug) CHECK(longest_shared_run(definition, starter(part, source)) < 12);
      CHECK(longest_shared_run(definition, hints[0] + "\n" + hints[1]) < 12);
    };
    check_against(definition_of(source, part.signature, part.source));
    const std::string readable =
        definition_of(readable_source(workshop(), part), part.signature, part.readable());
    CHECK(longest_shared_run(readable, readable) >= 12);
    check_against(readable);
    for (const std::string& hint : hints) CHECK(hint.size() > 40);
  });
}

TEST_CASE("assignments: a starter counts as not begun", "[each]") {
  for_each_part([](const Assignment&, const Part& part) {
    const Verdict verdict = judged_text(part, starter(part, library_source(workshop(), part)));
    INFO(verdict.problem);
    CHECK(verdict.state == Verdict::State::undone);
    CHECK(verdict.points() == 0);
  });
}

TEST_CASE("assignments: a function that comes with a bug compiles, is wrong, and its bug has a sentence",
          "[each]") {
  for_each_part([](const Assignment&, const Part& part) {
    if (!part.bug) return;
    const Verdict verdict =
        judged_text(part, starter(part, library_source(workshop(), part)) + "// looked at\n");
    INFO(verdict.problem);
    CHECK(verdict.state == Verdict::State::wrong);
    CHECK(verdict.diagnosis == part.bug->sentence);
  });
}

TEST_CASE("assignments: every way to do a part gets full points", "[each]") {
  for_each_part([](const Assignment& assignment, const Part& part) {
    std::vector<std::string> files = correct_files(assignment, part);
    CHECK(files.size() >= 3);
    if (!part.plain.empty()) files.push_back(workshop().root + "/" + part.plain);
    for (const std::string& file : files) {
      const Verdict verdict = judged(part, file);
      INFO(file << "\n" << verdict.problem << verdict.diagnosis);
      CHECK(verdict.points() == part.points);
      CHECK(verdict.diagnosis.empty());
    }
  });
}

TEST_CASE("assignments: each part has five mistakes, all are found wrong, and each is told from the others",
          "[each]") {
  for_each_part([](const Assignment& assignment, const Part& part) {
    const std::vector<Mistake> mistakes = read_mistakes(assignment, part);
    CHECK(mistakes.size() >= 5);
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      const std::vector<Case> cases = draw_cases(exercise(part.number()), seed, seed + 1000);
      const auto outcomes = outcomes_of_mistakes(workshop(), assignment, part, cases);
      for (std::size_t k = 0; k < mistakes.size(); ++k) {
        INFO("mistake \"" << mistakes[k].name << "\", seed " << seed);
        CHECK(mistakes[k].sentence.size() > 40);
        REQUIRE(outcomes[k].size() == cases.size());
        int wrong = 0;
        std::vector<Case> as_student = cases;
        for (std::size_t i = 0; i < cases.size(); ++i) {
          REQUIRE(outcomes[k][i]);
          as_student[i].yours = outcomes[k][i];
          wrong += agree(*outcomes[k][i], cases[i].expected, cases[i].inputs) ? 0 : 1;
        }
        CHECK(wrong >= 2);
        CHECK(matching_mistake(outcomes, as_student) == static_cast<int>(k));
      }
    }
  });
}

TEST_CASE(
    "assignments: a part that is wrong, crashes, never ends or does not compile costs no other part its "
    "points",
    "[each]") {
  for (const Assignment& assignment : tested_assignments()) {
    if (assignment.parts.front().goal) continue;
    std::vector<std::string> right;
    for (const Part& part : assignment.parts)
      right.push_back(read_text(correct_files(assignment, part).front()));
    for (std::size_t broken = 0; broken < right.size(); ++broken) {
      const Part& part = assignment.parts[broken];
      const std::string source = library_source(workshop(), part);
      const std::string begun = starter(part, source), call = "undone();";
      const std::string ways[] = {"throw std::logic_error(\"wrong\");", "__builtin_trap();",
                                  "while (true) asm volatile(\"\");", "this is no C++;"};
      std::string text = begun;
      if (part.bug)
        text.insert(text.find(" {\n", text.find(part.function() + "(")) + 3, ways[broken % 4]);
      else
        text.replace(text.find(call), call.size(), ways[broken % 4]);
      int points = 0;
      for (std::size_t i = 0; i < right.size(); ++i)
        points += judged_text(assignment.parts[i], i == broken ? text : right[i]).points();
      INFO("broken: " << part.number() << " by " << ways[broken % 4]);
      CHECK(points == assignment.points() - part.points);
    }
  }
}

TEST_CASE("assignments: hostile files get no points, leave no file, and end in time") {
  const Part part = find_parts(assignments(), "02.3").front();
  const std::vector<std::string> files = files_in(tests + "hostile");
  CHECK(files.size() >= 30);
  for (const std::string& file : files) {
    const Verdict verdict = judged(part, file);
    INFO(file << "\n" << verdict.problem << verdict.diagnosis);
    CHECK(verdict.points() == 0);
    CHECK(verdict.state != Verdict::State::undone);
    if (verdict.layers.find("files") != std::string::npos) {
      CHECK_FALSE(fs::exists(P_tmpdir "/gradual-hostile-was-here"));
      CHECK_FALSE(fs::exists("/var" P_tmpdir "/gradual-hostile-was-here"));
      CHECK(verdict.problem.find("root:x:") == std::string::npos);
    }
    std::ostringstream report;
    print_verdict(report, verdict);
    CHECK(report.str().size() < 100000);
  }
}

TEST_CASE("assignments: where a compiler finds no space, no memory or is killed, a file is not judged") {
  const Part part = find_parts(assignments(), "02.3").front();
  const ScratchFolder scratch;
  fs::create_directory(scratch.path() + "/bin");
  Workshop broken = workshop();
  broken.compiler = scratch.path() + "/bin/c++";
  const auto judged_by = [&](const std::string& script) {
    write_file_atomically(broken.compiler, "#!/bin/sh\n" + script + "\nexit 1\n");
    fs::permissions(broken.compiler, fs::perms::owner_all);
    return judge(broken, assignments(), part, "int x;\n", 1, 2);
  };
  const auto saying = [](const std::string& words) { return "echo 'cc1plus: " + words + "'"; };
  CHECK_THROWS_WITH(judged_by(saying("error writing to x.s: No space left on device")),
                    Contains("No space left"));
  CHECK_THROWS_WITH(judged_by(saying("Killed signal terminated program cc1plus")), Contains("Killed signal"));
  CHECK_THROWS_WITH(judged_by(saying("out of memory allocating 65536 bytes")),
                    Contains("a starter must compile, too: ") && Contains("out of memory"));
  const Verdict greedy = judged_by("case \"$*\" in *starter.cpp*) exit 0;; esac\n" +
                                   saying("out of memory allocating 65536 bytes"));
  CHECK(greedy.state == Verdict::State::errors);
  const Verdict quoted =
      judged_by("case \"$*\" in *starter.cpp*) exit 0;; esac\n" +
                saying("x | // No space left on device, Killed signal terminated program"));
  CHECK(quoted.state == Verdict::State::errors);
  CHECK(judged_by(saying("expected a mark")).problem == "cc1plus: expected a mark\n");
}

TEST_CASE("assignments: what a part throws is shown in part, and rules no terminal") {
  const Part part = find_parts(assignments(), "02.3").front();
  const auto thrown = [&](const std::string& what) {
    std::string text = starter(part, library_source(workshop(), part));
    const std::string call = "undone();";
    text.replace(text.find(call), call.size(), "throw std::runtime_error(" + what + ");");
    return explanation_of(judged_text(part, "#include <stdexcept>\n" + text));
  };
  const std::string large = thrown("std::string(4000000, 'x')");
  CHECK(large.find(std::string(1000, 'x') + "\n") != std::string::npos);
  CHECK(large.size() < 2000);
  CHECK_THAT(thrown(R"("a\033[2Jb\u009B\u00e9\nc\r")"), Contains("a␛[2Jb\xEF\xBF\xBDé\nc\n"));
  CHECK_THAT(thrown("std::string(999, 'x') + \"\\u00e9\""), Contains(std::string(999, 'x') + "\n"));
  CHECK(visible("a\xFF\xC3") == "a??");
  Verdict verdict;  // of a program that writes its answers itself
  verdict.state = Verdict::State::wrong;
  verdict.cases.emplace_back();
  verdict.cases[0].yours.emplace();
  verdict.cases[0].yours->metadata["error"] = std::string(4000000, '\x1b');
  CHECK(explanation_of(verdict).size() < 20100);
}

TEST_CASE(
    "assignments: of the folder that a compiler is installed in, a student's file can take in what is the "
    "compiler's") {
  const ScratchFolder scratch;
  const std::string prefix = scratch.path();
  Workshop own = workshop();
  own.compiler = prefix + "/bin/c++";
  for (const char* folder : {"bin", "libexec/gcc", "x86_64-pc-linux-gnu/sysroot", "courses"}) {
    fs::create_directories(prefix + "/" + folder);
    write_file_atomically(prefix + "/" + folder + "/file", folder);
  }
  for (const char* folder : {"bin", "libexec/gcc", "x86_64-pc-linux-gnu/sysroot"})
    CHECK(can_be_read_by_students(own, prefix + "/" + folder + "/file"));
  const Part part = find_parts(assignments(), "02.3").front();
  const std::string layers = judged_text(part, "").layers;
  if (layers.find("files") == std::string::npos) return;
  CHECK_FALSE(can_be_read_by_students(own, prefix + "/courses/file"));
  CHECK_FALSE(can_be_read_by_students(own, "/etc/passwd"));
}

TEST_CASE(
    "assignments: a source is found among what a file takes in, however that is called, in any folder") {
  const Part part = find_parts(assignments(), "02.3").front();
  const ScratchFolder scratch;
  const std::string odd = scratch.path() + "/a b#c$d";
  fs::create_directory(odd);
  const std::string right = read_text(correct_files(assignment_of(assignments(), part), part).front());
  const Built taken = compile_part(workshop(), part, right, odd);
  INFO(taken.message);
  CHECK(taken.state == Built::State::program);
  for (const char* as_header :
       {"", "# 1 \"mine.hpp\" 3\n", "# 1 \"mine.hpp\" 3 4\n", "#pragma GCC system_header\n"}) {
    const Built built =
        compile_part(workshop(), part,
                     "#include <gradual/core/rows/rows.hpp>\n" + std::string(as_header) +
                         "#define softmax_backward_row other\n#include <gradual/core/rows/rows.cpp>\n",
                     odd);
    INFO(as_header << built.message);
    CHECK(built.state == Built::State::refused);
    CHECK(built.message.find("gradual/core/rows/rows.cpp: a solution includes headers only") !=
          std::string::npos);
  }
}

TEST_CASE("assignments: where the build is another's, mistakes are looked up from one's own folder") {
  const Part part = find_parts(assignments(), "02.3").front();
  const ScratchFolder scratch;
  Workshop shared = workshop();
  shared.build = "/dev/null/build";
  shared.cache = "/dev/null/assignments";
  shared.own_cache = scratch.path() + "/mine/.cache";
  std::string text = starter(part, library_source(workshop(), part));
  const std::string call = "undone();";
  text.replace(
      text.find(call), call.size(),
      "Tensor dx = dy; for (Index i = 0; i < dx.size(); ++i) dx.mutable_data()[i] *= y.data()[i] * (1 - "
      "y.data()[i]); return dx;");
  const Verdict verdict = judge(shared, assignments(), part, text, 1, 2);
  CHECK_THAT(verdict.evidence, Contains("Yours equals \"y(1 − y)·dy\""));
  CHECK(fs::exists(shared.own_cache + "/mistakes-02.3"));
  // What its owner left there is used as it is.
  shared.own_cache = scratch.path() + "/none";
  shared.cache = scratch.path() + "/mine/.cache";
  CHECK_THAT(judge(shared, assignments(), part, text, 1, 2).evidence, Contains("Yours equals"));
  CHECK_FALSE(fs::exists(shared.own_cache));
}

TEST_CASE("assignments: calls of cousins are refused by name") {
  const Part part = find_parts(assignments(), "02.3").front();
  for (const char* file : {"calls_row.cpp", "calls_by_another_name.cpp"}) {
    const Verdict verdict = judged(part, tests + "hostile/" + file);
    CHECK(verdict.state == Verdict::State::refused);
    CHECK(verdict.problem.find("softmax_backward_row") != std::string::npos);
  }
}

namespace {
// A name of the compiler's for f(A<A<…>, A<…>>): with each level it stands for twice as many letters.
std::string doubling_name(int levels) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "1AIiiE";
  for (int level = 1; level <= levels; ++level) {
    const std::size_t before = static_cast<std::size_t>(level - 1);  // S0_ is the innermost
    const std::string high = before < 36 ? "" : std::string(1, digits[before / 36]);
    name.replace(0, 2, "S_");  // the outermost says what A is
    name = "1AI" + name + "S" + high + digits[before % 36] + "_E";
  }
  return "_Z1f" + name;
}
}  // namespace

TEST_CASE("assignments: a name that doubles with every few letters is refused in time, and not written out") {
  const Part part = find_parts(assignments(), "02.3").front();
  const std::string right = read_text(correct_files(assignment_of(assignments(), part), part).front());
  for (const int levels : {3, 22, 60}) {
    const std::string name = doubling_name(levels);
    std::string text = right;
    text.replace(text.find("namespace gradual {"), 0, "void other() asm(\"" + name + "\");\n");
    text.replace(text.find("{\n", text.find(part.function())), 1, "{ other();");
    const Verdict verdict = judged_text(part, text);
    INFO(levels << "\n" << verdict.problem.substr(0, 1000));
    CHECK(verdict.state == Verdict::State::refused);
    CHECK(verdict.problem.find(levels > 3 ? "_Z1f1AIS_I" : "It calls f(A<A<A<A<int, int>, A<int, int> >") !=
          std::string::npos);
    CHECK(verdict.problem.size() < 1000);
  }
}

TEST_CASE("assignments: what a part defines besides is told by its name, also where that is a type's code") {
  const Part part = find_parts(assignments(), "02.3").front();
  const std::string right = read_text(correct_files(assignment_of(assignments(), part), part).front());
  const Verdict verdict = judged_text(part, right + "int n; float f; int other(int) { return 1; }\n");
  for (const char* name : {"It also defines ", " n", " f", " other(int)"})
    CHECK(verdict.problem.find(name) != std::string::npos);
  CHECK(verdict.problem.find("float") == std::string::npos);
  std::string many = right;
  for (int i = 0; i < 30; ++i) many += "int of_" + std::to_string(i) + std::string(300, 'x') + ";\n";
  const Verdict talkative = judged_text(part, many);
  CHECK(talkative.problem.find(" and 20 more: put functions") != std::string::npos);
  CHECK(talkative.problem.size() < 3000);
}

TEST_CASE("assignments: of mistakes written without the lists, 95 % are rejected and 60 % named", "[blind]") {
  const std::string path = tests + "blind.md";
  int rejected = 0, named = 0;
  std::string left;
  const std::vector<Mistake> mistakes = mistakes_in(read_text(path), path);
  for (const Mistake& mistake : mistakes) {  // "02.3 3_loops.cpp: y(1 - y)"
    const Part part = find_parts(assignments(), mistake.name.substr(0, 4)).front();
    const std::string file = mistake.name.substr(5, mistake.name.find(':') - 5);
    const std::string folder = tests + folder_name(assignment_of(assignments(), part)) + "/correct/";
    const Verdict verdict = judged_text(part, with_mistake(read_text(folder + file), mistake));
    INFO(mistake.name << "\n" << verdict.problem);
    CHECK(verdict.state != Verdict::State::errors);
    CHECK(verdict.state != Verdict::State::refused);
    const bool is_named = verdict.evidence.rfind("Yours equals", 0) == 0;
    rejected += verdict.points() == 0 ? 1 : 0;
    named += is_named ? 1 : 0;
    if (!is_named) left += mistake.name + (verdict.points() > 0 ? " (right?)\n" : "\n");
  }
  const int all = static_cast<int>(mistakes.size());
  WARN(rejected << " of " << all << " rejected, " << named << " named; not named:\n" << left);
  CHECK(all >= 40);
  CHECK(rejected * 100 >= 95 * all);
  CHECK(named * 100 >= 60 * all);
}

TEST_CASE("assignments: what no mistake explains is told by its numbers, and else only shown") {
  const Part part = find_parts(assignments(), "02.3").front();
  const std::string right = read_text(correct_files(assignment_of(assignments(), part), part).front());
  const auto with = [&](const std::string& number) {
    std::string text = right;
    const std::string end = "  return dx;";
    return text.replace(
        text.find(end), end.size(),
        "  for (Index i = 0; i < dx.size(); ++i) dx.mutable_data()[i] = " + number + ";\n" + end);
  };
  CHECK(judged_text(part, with("2 * dx.data()[i]")).diagnosis == "All numbers are off by one factor: 2.");
  CHECK(judged_text(part, with("-dx.data()[i]")).diagnosis == "All signs are the wrong way round.");
  CHECK(judged_text(part, with("0")).diagnosis == "All numbers are 0.");
  CHECK(judged_text(part, with("dx.data()[i] + Real(0.5) * dy.data()[i] * dy.data()[i]")).diagnosis.empty());
}

TEST_CASE(
    "assignments: of a part of attention that is wrong in its own way, the grader says what can be seen") {
  const auto changed = [](const std::string& number, const char* file, const std::string& before,
                          const std::string& after) {
    const Part part = find_parts(assignments(), number).front();
    const std::string path = tests + "03-attention/correct/" + file;
    const Verdict verdict = judged_text(part, with_mistake(read_text(path), {"", "", {{before, after}}}));
    INFO(verdict.problem);
    CHECK(verdict.state == Verdict::State::wrong);
    return verdict;
  };
  CHECK(changed("03.4", "4_loops.cpp", "dv[value] +=", "dv[value] += 3 *").diagnosis ==
        "Right: d_weights; wrong: dv. All numbers are off by one factor: 3.");
  CHECK(changed("03.2", "2_loops.cpp", "/ total)", "/ S)").diagnosis ==
        "Each row is off by a factor of its own.");
  CHECK(changed("03.1", "1_loops.cpp", "std::sqrt(Real(d))", "std::sqrt(Real(q.size()))").diagnosis ==
        "All numbers are off by one factor, which is another from case to case: what does it depend on?");
  CHECK(changed("03.1", "1_loops.cpp", "(b * S + s) * d", "(b * (S - 1) + s) * d").diagnosis ==
        "What is first on the first axis is right and what follows is not: where does the next one begin?");
}

TEST_CASE("assignments: what crashes is shown with what the compiler warned of") {
  const Part part = find_parts(assignments(), "03.1").front();
  std::string text = starter(part, library_source(workshop(), part));
  const std::string call = "undone();";
  const Verdict verdict = judged_text(part, text.replace(text.find(call), call.size(), "q.size();"));
  CHECK(verdict.state == Verdict::State::wrong);
  CHECK_THAT(explanation_of(verdict), Contains("The compiler warned:\n") && Contains("no return statement"));
}

TEST_CASE("grader: a mistake that explains most failures and contradicts none is named, one of two is not") {
  const auto holding = [](Real number) { return Values{{{"x", Tensor({1}, {number})}}, {}, {}}; };
  const auto cases_of = [&](const std::vector<Real>& yours) {
    std::vector<Case> cases;
    for (const Real number : yours) cases.push_back({holding(0), holding(0), holding(number), number == 0});
    return cases;
  };
  const auto outcome = [&](const std::vector<Real>& numbers) {
    std::vector<std::optional<Values>> values;
    for (const Real number : numbers) values.emplace_back(holding(number));
    return values;
  };
  const auto some = outcome({0, 1, 1, 1}), other = outcome({0, 1, 2, 2});
  CHECK(nearest_mistake({other, some}, cases_of({0, 1, 1, 5})) == 1);
  CHECK(nearest_mistake({some, some}, cases_of({0, 1, 1, 5})) == -1);  // two say the same
  CHECK(nearest_mistake({some}, cases_of({0, 1, 5, 6})) == -1);        // less than half
  CHECK(nearest_mistake({some}, cases_of({0, 1, 1, 0})) == -1);        // right where it would be wrong
  CHECK(nearest_mistake({some}, cases_of({0, 5, 1, 1})) == -1);        // the smallest is another
  CHECK(nearest_mistake({some}, cases_of({1, 1, 1, 1})) == -1);
  Values error;
  error.metadata["error"] = "sizes must match";
  std::vector<Case> errors = cases_of({0, 1, 1, 1});
  for (std::size_t i = 1; i < 4; ++i) errors[i].yours = error;
  CHECK(nearest_mistake({{holding(0), error, error, error}}, errors) == -1);  // what throws may be anything
}

TEST_CASE("assignments: what does not exist is refused by name") {
  CHECK_THROWS_WITH(find_parts(assignments(), "99"), Contains("there is no such part: got 99"));
  CHECK_THROWS_WITH(find_parts(assignments(), "02.9"), Contains("there is no such part: got 02.9"));
}

TEST_CASE("grader: a right way may lose the last bits of large numbers, and no more") {
  const auto holding = [](Real number) {
    Values values;
    values.tensors = {{"x", Tensor({1}, {number})}};
    return values;
  };
  const Real loss =
      300 * std::numeric_limits<Real>::epsilon();  // x - (max + log sum), where x and max are 300
  CHECK(agree(holding(1 + loss), holding(1), holding(300)));
  CHECK_FALSE(agree(holding(1 + loss), holding(1), holding(2)));
  CHECK_FALSE(agree(holding(1 + 4 * loss), holding(1), holding(300)));
  CHECK_FALSE(agree(holding(1 + loss), holding(1), holding(-1e9F)));  // what hides is not computed with
  CHECK_FALSE(agree(holding(1 + loss), holding(1), holding(std::numeric_limits<Real>::infinity())));
}
