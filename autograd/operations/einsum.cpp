// Any two-operand sum of products is one matrix product: axes that are in a, b and y count the matrices, axes
// that only a or only b shares with y are rows and columns, and those of a and b alone are summed over in the
// product.
#include <gradual/autograd/operations.hpp>

#include <cctype>
#include <map>

#include <gradual/core/checks.hpp>

namespace gradual {
namespace {

// The letters of a, b and y.
struct Pattern {
  std::string a, b, y;
};

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

// The letters of `from` that `keep` holds for.
template <class Keep>
std::string filtered(const std::string& from, Keep keep) {
  std::string result;
  for (const char letter : from)
    if (keep(letter)) result += letter;
  return result;
}

Pattern parsed(const std::string& pattern) {
  const std::string letters = filtered(pattern, [](char c) { return c != ' '; });
  const std::size_t comma = letters.find(','), arrow = letters.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma)
    throw std::invalid_argument(
        text("einsum: the pattern must read like \"ij,jk->ik\": it is \"", pattern, "\""));
  Pattern result{letters.substr(0, comma), letters.substr(comma + 1, arrow - comma - 1),
                 letters.substr(arrow + 2)};
  for (const std::string& part : {result.a, result.b, result.y}) {
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!std::isalpha(static_cast<unsigned char>(part[i])) ||
          part.find(part[i], i + 1) != std::string::npos)
        throw std::invalid_argument(
            text("einsum: axes must be letters, each once in an operand: \"", pattern, "\""));
  }
  for (const char letter : result.y)
    if (!has(result.a, letter) && !has(result.b, letter))
      throw std::invalid_argument(
          text("einsum: a letter of y must be in a or b: '", letter, "' in \"", pattern, "\""));
  return result;
}

// The size of each letter.
std::map<char, Index> sizes_of(const std::string& pattern, const Pattern& p, const Shape& a, const Shape& b) {
  std::map<char, Index> sizes;
  const auto enter = [&](const std::string& letters, const Shape& shape) {
    bool fits = static_cast<Index>(letters.size()) == shape.rank();
    for (std::size_t i = 0; fits && i < letters.size(); ++i) {
      const Index size = shape[static_cast<Index>(i)];
      fits = sizes.emplace(letters[i], size).first->second == size;
    }
    if (!fits)
      throw std::invalid_argument(text("einsum: a letter for each axis, and one size for each letter: \"",
                                       pattern, "\" for a ", a, " and b ", b));
  };
  enter(p.a, a);
  enter(p.b, b);
  return sizes;
}

// x, whose axes have these letters, without those that nothing else has, in the order of three groups, each
// of them one axis.
Var grouped(Var x, std::string letters, const std::vector<std::string>& groups,
            std::map<char, Index>& sizes) {
  std::string all;
  for (const std::string& group : groups) all += group;
  Axes alone, order;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (!has(all, letters[i])) alone.push_back(static_cast<Index>(i));
  if (!alone.empty()) x = sum(x, alone);
  letters = filtered(letters, [&](char letter) { return has(all, letter); });
  for (const char letter : all) order.push_back(static_cast<Index>(letters.find(letter)));
  std::vector<Index> shape;
  for (const std::string& group : groups) {
    shape.push_back(1);
    for (const char letter : group) shape.back() *= sizes[letter];
  }
  return reshape(transpose(x, order), shape);
}

}  // namespace

Var einsum(const std::string& pattern, const Var& a, const Var& b) {
  const Pattern p = parsed(pattern);
  std::map<char, Index> sizes = sizes_of(pattern, p, a.shape(), b.shape());
  const std::string matrices = filtered(p.y, [&](char c) { return has(p.a, c) && has(p.b, c); });
  const std::string rows = filtered(p.y, [&](char c) { return !has(p.b, c); });
  const std::string columns = filtered(p.y, [&](char c) { return !has(p.a, c); });
  const std::string summed = filtered(p.a, [&](char c) { return has(p.b, c) && !has(p.y, c); });
  const Var y = matmul(grouped(a, p.a, {matrices, rows, summed}, sizes),
                       grouped(b, p.b, {matrices, summed, columns}, sizes));
  const std::string letters = matrices + rows + columns;
  std::vector<Index> shape;
  Axes order;
  for (const char letter : letters) shape.push_back(sizes[letter]);
  for (const char letter : p.y) order.push_back(static_cast<Index>(letters.find(letter)));
  return transpose(reshape(y, shape), order);
}

Tensor einsum(const std::string& pattern, const Tensor& a, const Tensor& b) {
  check_defined("einsum", "a", a);
  check_defined("einsum", "b", b);
  return einsum(pattern, Var(a), Var(b)).value();
}

}  // namespace gradual
