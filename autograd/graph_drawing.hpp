// The graph of a computation as a drawing.
#pragma once

#include <string>

#include <gradual/autograd/var.hpp>

namespace gradual {

/// The graph that y was made by, in Graphviz's DOT language: a box for each parameter and a rounded one for
/// each operation, with name and shape, and an arrow from each input to what was made of it. `dot -Tsvg`
/// draws it.
///
/// Nodes come in the order of their creation, numbered from 1, so the same computation gives the same text.
/// Constants are not in the graph. Var::named() names a node. Throws std::logic_error when y is a constant or
/// backward() has released the graph.
std::string graph_as_dot(const Var& y, const std::string& title = "");

}  // namespace gradual
