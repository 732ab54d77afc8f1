// A graph whose nodes have features and classes, and the files that hold one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/nn/graph/sparse_rows.hpp>

namespace gradual {

/// Which nodes teach, which decide when to stop, and which judge.
enum class Part { train, validation, test, none };

/// A graph of which some nodes have a class that is known, and others one to be guessed.
struct LabelledGraph {
  EdgeList edges;                    // both ways, and from each node to itself
  SparseRows features;               // a row for each node
  Index classes;                     // how many labels there are
  std::vector<std::int32_t> labels;  // of each node
  std::vector<Part> parts;           // of each node

  /// How many nodes there are.
  Index nodes() const { return edges.nodes(); }
  /// The labels of the nodes of one part and -1, which the loss ignores, for all others: [N].
  Indices labels_of(Part part) const;
};

/// Reads `folder`/nodes.txt, lines `number TAB train|val|test|none TAB class TAB features` with the numbers
/// of the features that a node has, and `folder`/edges.txt, lines `a b`. Each row of features is divided by
/// its sum. Throws FileError, with the line for a node or an edge that cannot be, such as an edge to a node
/// that does not exist.
LabelledGraph read_labelled_graph(const std::string& folder);

}  // namespace gradual
