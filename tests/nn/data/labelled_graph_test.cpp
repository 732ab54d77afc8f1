// Graphs from files, and what is wrong with a file.
#include <gradual/nn/data/labelled_graph.hpp>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const std::string nodes = "0\ttrain\t1\t0 3\n1\tval\t0\t2\r\n\n2\ttest\t2\t\n3\tnone\t0\t1 2 3 0\n";

// The message for these files.
std::string problem(const std::string& node_lines, const std::string& edge_lines) {
  const TestFolder folder;
  folder.write("nodes.txt", node_lines);
  folder.write("edges.txt", edge_lines);
  const std::string message = message_of<FileError>([&] { read_labelled_graph(folder / "."); });
  return message.substr(message.rfind("/") + 1);
}

}  // namespace

TEST_CASE("labelled graph: is read with edges both ways and rows that sum to 1") {
  const TestFolder folder;
  folder.write("nodes.txt", nodes);
  folder.write("edges.txt", "0 1\n1 3\n");
  const LabelledGraph graph = read_labelled_graph(folder / ".");
  CHECK(graph.nodes() == 4);
  CHECK(graph.classes == 3);
  CHECK(graph.edges.size() == 8);  // two both ways, and four nodes to themselves
  CHECK(graph.labels == std::vector<std::int32_t>{1, 0, 2, 0});
  CHECK(difference(graph.features.dense(),
                   Tensor({4, 4}, {0.5, 0, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25})) == "");
  const Indices test = graph.labels_of(Part::test);
  CHECK(std::vector<std::int32_t>(test.begin(), test.end()) == std::vector<std::int32_t>{-1, -1, 2, -1});
}

TEST_CASE("labelled graph: an edge to a node that does not exist is an error at its line") {
  CHECK(problem(nodes, "0 1\n2 4\n") ==
        "edges.txt:2: an edge must join nodes that exist, 0 … 3: got the edge 2 – 4");
  CHECK(problem(nodes, "0 -1\n") == "edges.txt:1: there must be whole numbers: got \"-1\"");
  CHECK(problem(nodes, "0 1 2\n") == "edges.txt:1: a line must be two nodes: got \"0 1 2\"");
}

TEST_CASE("labelled graph: other bad lines are errors with their place, too") {
  CHECK(problem("0\ttrain\t0\t1\n2\tval\t0\t1\n", "") ==
        "nodes.txt:2: nodes must be numbered 0, 1, 2, …: expected 1, got \"2\"");
  CHECK(problem("0\tdev\t0\t1\n", "") ==
        "nodes.txt:1: the second field must be train, val, test or none: got \"dev\"");
  CHECK(problem("0\ttrain\tone\t1\n", "") == "nodes.txt:1: there must be whole numbers: got \"one\"");
  CHECK(problem("0 train 0 1\n", "") ==
        "nodes.txt:1: a line must be `number TAB part TAB class TAB features`: it has 1 fields");
  CHECK(problem("0\ttrain\t0\t1\n1\tval\t0\t1\n", "") ==
        "nodes.txt: there must be nodes for train, val and test");
  CHECK_THROWS_AS(read_labelled_graph("no/such/folder"), FileError);
}
