#include <gradual/nn/data/labelled_graph.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>

namespace gradual {
namespace {

// Calls read(line) for each line that is not empty; what it throws becomes an error at that line.
void for_each_line(const std::string& path, const std::function<void(const std::string&)>& read) {
  std::ifstream file = open_lines(path);
  std::string line;
  for (std::int64_t number = 1; read_line(file, line, path, number); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    try {
      read(line);
    } catch (const std::invalid_argument& error) {
      throw FileError::at_line(path, number, error.what());
    }
  }
}

// The whole numbers from 0 on in a text, separated by spaces or tabs.
std::vector<std::int32_t> whole_numbers(const std::string& content) {
  std::vector<std::int32_t> result;
  std::istringstream words(content);
  for (std::string word; words >> word;) {
    const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || word.size() > 9)
      throw std::invalid_argument("there must be whole numbers: got \"" + word + "\"");
    result.push_back(std::stoi(word));
  }
  return result;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) result.push_back(field);
  return result;
}

Part part_named(const std::string& name) {
  static const std::map<std::string, Part> parts = {
      {"train", Part::train}, {"val", Part::validation}, {"test", Part::test}, {"none", Part::none}};
  const auto found = parts.find(name);
  if (found == parts.end())
    throw std::invalid_argument("the second field must be train, val, test or none: got \"" + name + "\"");
  return found->second;
}

struct Nodes {
  std::vector<Part> parts;
  std::vector<std::int32_t> labels;
  std::vector<std::vector<SparseEntry>> features;
};

void add_node(const std::string& line, Nodes& nodes) {
  const std::vector<std::string> field = fields(line);
  if (field.size() < 3 || field.size() > 4)
    throw std::invalid_argument("a line must be `number TAB part TAB class TAB features`: it has " +
                                std::to_string(field.size()) + " fields");
  const std::vector<std::int32_t> number = whole_numbers(field[0]), label = whole_numbers(field[2]);
  if (number.size() != 1 || number[0] != static_cast<std::int32_t>(nodes.parts.size()))
    throw std::invalid_argument("nodes must be numbered 0, 1, 2, …: expected " +
                                std::to_string(nodes.parts.size()) + ", got \"" + field[0] + "\"");
  if (label.size() != 1) throw std::invalid_argument("there must be one class: got \"" + field[2] + "\"");
  nodes.parts.push_back(part_named(field[1]));
  nodes.labels.push_back(label[0]);
  const std::vector<std::int32_t> words = whole_numbers(field.size() == 4 ? field[3] : std::string());
  std::vector<SparseEntry> row;
  for (std::int32_t word : words) row.push_back({word, 1 / static_cast<Real>(words.size())});
  nodes.features.push_back(std::move(row));
}

Index one_more_than_largest(const std::vector<std::vector<SparseEntry>>& rows) {
  Index result = 0;
  for (const auto& row : rows) {
    for (const SparseEntry& entry : row) result = std::max(result, entry.column + 1);
  }
  return result;
}

}  // namespace

Indices LabelledGraph::labels_of(Part part) const {
  std::vector<std::int32_t> result(labels.size(), -1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (parts[i] == part) result[i] = labels[i];
  }
  return {Shape{nodes()}, std::move(result)};
}

LabelledGraph read_labelled_graph(const std::string& folder) {
  Nodes nodes;
  const std::string nodes_path = folder + "/nodes.txt";
  for_each_line(nodes_path, [&](const std::string& line) { add_node(line, nodes); });
  for (const Part part : {Part::train, Part::validation, Part::test}) {
    if (std::find(nodes.parts.begin(), nodes.parts.end(), part) == nodes.parts.end())
      throw FileError(nodes_path, "there must be nodes for train, val and test");
  }
  const Index count = static_cast<Index>(nodes.parts.size());
  std::vector<std::int32_t> from, to;
  for_each_line(folder + "/edges.txt", [&](const std::string& line) {
    const std::vector<std::int32_t> ends = whole_numbers(line);
    if (ends.size() != 2) throw std::invalid_argument("a line must be two nodes: got \"" + line + "\"");
    for (std::int32_t end : ends) {
      if (end >= count)
        throw std::invalid_argument(text("an edge must join nodes that exist, 0 … ", count - 1,
                                         ": got the edge ", ends[0], " – ", ends[1]));
    }
    from.push_back(ends[0]);
    to.push_back(ends[1]);
  });
  const Shape shape{static_cast<Index>(from.size())};
  return {neighbourhoods(count, Indices(shape, std::move(from)), Indices(shape, std::move(to))),
          SparseRows(one_more_than_largest(nodes.features), nodes.features),
          *std::max_element(nodes.labels.begin(), nodes.labels.end()) + 1, nodes.labels, nodes.parts};
}

}  // namespace gradual
