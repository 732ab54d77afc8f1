// Every public function of core/ and autograd/, found in the headers, is called with arguments that nobody
// should pass: it refuses them by its name, or gives the right value. Nothing crashes and nothing lies.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "hostile/declarations.hpp"
#include "hostile/drive.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#ifdef __SANITIZE_ADDRESS__
// More memory than there is must be an exception as without the sanitizer.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=4096";
}
#endif

using namespace gradual;

namespace {

// Headers of one caller alone, which hands them pointers and sizes that it has checked: they are driven
// through it. Kernels of pointers that anyone may call are driven with memory as large as they are told.
bool is_inner(const std::string& header) {
  static const std::set<std::string> inner{
      "core/attention/score_block.hpp",  // of attention_forward and _backward; debug builds check each block
      "core/files/half.hpp",             // half_test tries every argument that there is
      "core/products/openblas_kernel.hpp",  // is called once, when the library is loaded
      "core/products/openblas.hpp",         // ways that gemm takes, after its checks
      "core/products/row_blocks.hpp",       // of PackedMatrix and Int8Matrix
      "core/products/split_product.hpp"};
  return inner.count(header) > 0;
}

// For each header, how often each name is declared.
std::map<std::string, std::multiset<std::string>> declared_functions() {
  const std::filesystem::path root = GRADUAL_SOURCES;
  std::map<std::string, std::multiset<std::string>> result;
  for (const char* floor : {"core", "autograd"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / floor)) {
      const std::string header = std::filesystem::relative(entry.path(), root).generic_string();
      if (entry.path().extension() == ".hpp")
        result[header] = hostile::Declarations(content(entry.path().string())).names();
    }
  }
  return result;
}

}  // namespace

TEST_CASE("hostile arguments: functions are found in a header whatever stands around them") {
  const hostile::Declarations found(R"header(
#pragma once
#define TWICE(f) f(1) \
                 f(2)
namespace gradual {
inline namespace GRADUAL_PRECISION {
/// Says "no(1)"; it's a comment(2).
Tensor first(const Tensor& x, Real y = f(3));  // second(x)
}
struct Point { Index x = size(1); explicit Point(Index at) : x(at) { go(); } ~Point(); Point(Point&&) = delete; };
class Tree {
 public:
  Tree();
  bool operator()(Index i) const { return i > 0 && leaf(i); }
  explicit operator bool() const;
  friend bool operator==(const Tree& a, const Tree& b);
  class Leaf { public: Leaf(); };
  const Index* begin() const { return {}; }
 private:
  void hidden();
};
template <class T, class U = std::vector<T>>
void twice(T&& t, Index n = 2);
void overloaded(int), overloaded_too();
decltype(auto) deduced(int);
void overloaded(double);
using Rule = std::function<Tensor(const Tensor& dy)>;
constexpr double three = square(3);
namespace inner { void not_ours(); }
template <class T, class U>
void twice(T&& t, Index n) { if (n) twice(t, 0); }
}
)header");
  CHECK(found.names() == std::multiset<std::string>{"Leaf::Leaf", "Point::Point", "Tree::Tree", "Tree::begin",
                                                    "Tree::operator()", "Tree::operatorbool", "deduced",
                                                    "first", "operator==", "overloaded", "overloaded",
                                                    "twice"});
}

TEST_CASE("hostile arguments: every public function of core and autograd is driven") {
  std::map<std::string, std::multiset<std::string>> driven;
  for (const hostile::Driven& each : hostile::all_driven()) driven[each.header].insert(each.name);
  const auto declared = declared_functions();
  REQUIRE(declared.size() > 20);
  std::set<std::string> forgotten, unknown;
  for (const auto& [header, names] : declared) {
    if (is_inner(header)) continue;
    for (const std::string& name : names)
      if (driven[header].count(name) < names.count(name)) forgotten.insert(header + ": " + name);
  }
  for (const auto& [header, names] : driven)
    for (const std::string& name : names)
      if (declared.count(header) == 0 || declared.at(header).count(name) == 0)
        unknown.insert(header + ": " + name);
  CHECK(forgotten == std::set<std::string>{});
  CHECK(unknown == std::set<std::string>{});
}

TEST_CASE("hostile arguments: every answer is a refusal by the operation's name, or right", "[heavy]") {
  std::vector<std::string> wrong;
  for (const hostile::Driven& each : hostile::all_driven()) {
    INFO(each.header << ": " << each.name);
    for (const std::string& answer : each.wrong_answers()) wrong.push_back(each.header + ": " + answer);
  }
  for (const std::string& answer : wrong) UNSCOPED_INFO(answer);
  CHECK(wrong.empty());
}
