#include <gradual/autograd/graph_drawing.hpp>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// As the inside of a quoted DOT string.
std::string escaped(const std::string& words) {
  std::string result;
  for (char c : words) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result;
}

// The name in a line above the shape; a name that was given stands before the operation's.
std::string label(const Node& node) {
  std::string first = escaped(node.name.empty() ? node.operation : node.name);
  if (!node.name.empty() && !node.is_parameter()) first += text(" (", escaped(node.operation), ")");
  return text(first, "\\n", node.shape);
}

}  // namespace

std::string graph_as_dot(const Var& y, const std::string& title) {
  if (!y.requires_grad())
    throw std::logic_error(
        "graph_as_dot: y must depend on a parameter: it is a constant, which has no graph");
  std::vector<std::shared_ptr<Node>> nodes = reachable_nodes(y);
  std::reverse(nodes.begin(), nodes.end());  // oldest first
  std::unordered_map<const Node*, std::size_t> numbers;
  for (const auto& node : nodes) {
    if (node->released)
      throw std::logic_error(text("graph_as_dot: backward released ", node->description(),
                                  "; draw it before, or keep it with backward(y, Graph::keep)"));
    numbers.emplace(node.get(), numbers.size() + 1);
  }

  std::ostringstream out;
  out << "digraph {\n  rankdir=BT; node [fontname=\"sans-serif\"];\n";
  if (!title.empty()) out << "  labelloc=t; label=\"" << escaped(title) << "\";\n";
  for (const auto& node : nodes) {
    out << "  n" << numbers[node.get()] << " [label=\"" << label(*node) << "\", "
        << (node->is_parameter() ? "shape=box, style=filled, fillcolor=lightblue"
                                 : "shape=box, style=rounded")
        << "];\n";
  }
  for (const auto& node : nodes) {
    for (const auto& input : node->inputs) {
      if (input) out << "  n" << numbers[input.get()] << " -> n" << numbers[node.get()] << ";\n";
    }
  }
  out << "}\n";
  return out.str();
}

}  // namespace gradual
