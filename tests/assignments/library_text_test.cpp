// Functions cut out of a source, and put back with a mistake in them.
#include "library_text.hpp"

#include "support/catch.hpp"

TEST_CASE("assignments: a signature must be there exactly once, however its lines are broken") {
  const std::string source = "int f(int a,\n      int b) {\n  return a;\n}\nint g() { return 1; }\n";
  CHECK(definition_of(source, "int f(int a, int b)", "x") ==
        "int f(int a,\n      int b) {\n  return a;\n}\n");
  CHECK(definition_of(source, "int g()", "x") == "int g() { return 1; }\n");
  CHECK_THROWS_WITH(definition_of(source, "int h()", "x.cpp"), "x.cpp must define: int h()");
  CHECK_THROWS_WITH(definition_of(source + source, "int g()", "x.cpp"),
                    "x.cpp must define only once: int g()");
}

TEST_CASE("assignments: a definition ends at its brace, also with the line ends of Windows") {
  CHECK(definition_of("int f() {\r\n  return 1;\r\n}\r\nint g();\r\n", "int f()", "x") ==
        "int f() {\n  return 1;\n}\n");
  CHECK(definition_of("int g() { return 1; }", "int g()", "x") == "int g() { return 1; }\n");
  CHECK(definition_of("int f() {\n  return 1;\n}", "int f()", "x") == "int f() {\n  return 1;\n}\n");
  CHECK_THROWS_WITH(definition_of("int f() {\n  return 1;\n}  // the end\n", "int f()", "x"),
                    "x must have a } on a line of its own at the end of: int f()");
}

TEST_CASE("assignments: a program is cut into words, numbers and marks, whatever a comment says") {
  CHECK(tokens_of("a_1 = x2*3; // no\n/* b\n */c /* left open") ==
        std::vector<std::string>{"a_1", "=", "x2", "*", "3", ";", "c"});
  CHECK(tokens_of("a /") == std::vector<std::string>{"a", "/"});
  // As long as a file that is handed in may be.
  constexpr std::size_t long_one = 1 << 20;
  CHECK(tokens_of("//" + std::string(long_one, 'x') + "\n1").size() == 1);
  CHECK(tokens_of("/*" + std::string(long_one, '*') + "/1").size() == 1);
  CHECK(tokens_of(std::string(long_one, 'x')).size() == 1);
  CHECK_THROWS_WITH(definition_of("int" + std::string(long_one, ' ') + "g() {}\n", "int f()", "x"),
                    "x must define: int f()");
}

TEST_CASE("assignments: a part can be a function of a class") {
  Part part;
  part.signature = "Var Layer::operator()(const Var& x) const";
  CHECK(part.function() == "Layer::operator()");
  part.signature = "const Tensor& Layer::weight() const";
  CHECK(part.function() == "Layer::weight");
  CHECK(without_arguments("gradual::Layer::operator()(gradual::Var const&) const") ==
        "gradual::Layer::operator()");
  const std::string source =
      "#include <vector>\nVar Layer::operator()(const Var& x) const {\n  return x;\n}\n";
  part.signature = "Var Layer::operator()(const Var& x) const";
  const std::string text =
      source_of_mistakes(part, source, {{"twice", "", {{"return x;", "return x + x;"}}}});
  CHECK(text.find("case 0: {\n  return x + x;\n}") != std::string::npos);
  CHECK(text.find("Var Layer::operator()(const Var& x) const {\n  switch") != std::string::npos);
}

TEST_CASE("assignments: of a function without a result each mistake ends where it is made") {
  Part part;
  part.signature = "void f(int& x)";
  const std::string text =
      source_of_mistakes(part, "void f(int& x) {\n  x = 1;\n}\n",
                         {{"two", "", {{"x = 1", "x = 2"}}}, {"three", "", {{"x = 1", "x = 3"}}}});
  CHECK(text.find("case 0: {\n  x = 2;\n} return;\n") != std::string::npos);
  CHECK(text.find("case 1: {\n  x = 3;\n} return;\n") != std::string::npos);
}
