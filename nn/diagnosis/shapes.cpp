#include <gradual/nn/diagnosis/shapes.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

void check(const SizeLetters& letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i].second < 2)
      throw std::invalid_argument(text("shapes: a letter must stand for a size of 2 or more: ",
                                       letters[i].first, " is ", letters[i].second));
    for (std::size_t k = 0; k < i; ++k)
      if (letters[k].second == letters[i].second)
        throw std::invalid_argument(text("shapes: letters must stand for different sizes: ", letters[k].first,
                                         " and ", letters[i].first, " are ", letters[i].second));
  }
}

std::string size_in_letters(Index size, const SizeLetters& letters) {
  std::vector<std::string> products, multiples;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto& [letter, value] = letters[i];
    if (value == size) return letter;
    for (std::size_t k = 0; k <= i; ++k)
      if (letters[k].second * value == size) products.push_back(letters[k].first + "·" + letter);
    if (size > 0 && size % value == 0 && size / value <= 8)
      multiples.push_back(text(size / value, "·", letter));
  }
  const std::vector<std::string>& fitting = products.empty() ? multiples : products;
  return fitting.size() == 1 ? fitting.front() : std::to_string(size);
}

std::string in_letters(const Shape& shape, const SizeLetters& letters) {
  std::vector<std::string> sizes;
  for (Index axis = 0; axis < shape.rank(); ++axis) sizes.push_back(size_in_letters(shape[axis], letters));
  return "[" + list_text(sizes, ", ") + "]";
}

TracedLayer::Line line_of(const TracedOperation& operation, const SizeLetters& letters) {
  std::vector<std::pair<std::string, Index>> inputs;  // each with how often it comes in a row
  for (const Var& input : operation.inputs) {
    if (!input.defined()) continue;
    const std::string shape = in_letters(input.shape(), letters);
    if (inputs.empty() || inputs.back().first != shape) inputs.emplace_back(shape, 0);
    ++inputs.back().second;
  }
  std::vector<std::string> parts;
  for (const auto& [shape, times] : inputs) {
    if (times > 3)
      parts.push_back(text(times, " times ", shape));
    else
      parts.insert(parts.end(), static_cast<std::size_t>(times), shape);
  }
  return {operation.name, list_text(parts, ", "), in_letters(operation.result.shape(), letters)};
}

// A line with its layer.
using Placed = std::pair<std::string, TracedLayer::Line>;

bool are_equal(const Placed& a, const Placed& b) {
  return a.first == b.first && a.second.operation == b.second.operation &&
         a.second.inputs == b.second.inputs && a.second.result == b.second.result;
}

std::vector<Placed> lines_of(const TracedOperations& operations, const SizeLetters& letters) {
  std::vector<Placed> lines;
  for (Index i = 0; i < operations.count(); ++i)
    lines.emplace_back(operations.layer_of(i), line_of(operations[i], letters));
  return lines;
}

// How often the `count` lines from `first` on come in a row.
Index repeats(const std::vector<Placed>& lines, Index first, Index count) {
  const auto begin = lines.begin() + first;
  Index times = 1;
  while (first + (times + 1) * count <= static_cast<Index>(lines.size()) &&
         std::equal(begin, begin + count, begin + times * count, are_equal))
    ++times;
  return times;
}

// Of the repetitions that begin here, the one that says most of what follows, and the shortest such.
Index length_of_block(const std::vector<Placed>& lines, Index first) {
  constexpr Index longest = 64;  // the body of a loop has fewer operations
  Index best = 1, covered = 1;
  for (Index count = 1; count <= std::min(longest, (static_cast<Index>(lines.size()) - first) / 2); ++count) {
    const Index times = repeats(lines, first, count);
    if (times == 1 || times * count <= covered) continue;
    best = count;
    covered = times * count;
  }
  return best;
}

void append(TracedBlock& block, const Placed& line) {
  if (block.layers.empty() || block.layers.back().name != line.first)
    block.layers.push_back({line.first, {}});
  block.layers.back().lines.push_back(line.second);
}

}  // namespace

std::string shape_in_letters(const Shape& shape, const SizeLetters& letters) {
  check(letters);
  return in_letters(shape, letters);
}

std::vector<TracedBlock> shape_trace(const TracedOperations& operations, const SizeLetters& letters) {
  check(letters);
  const std::vector<Placed> lines = lines_of(operations, letters);
  std::vector<TracedBlock> blocks;
  for (Index first = 0; first < static_cast<Index>(lines.size());) {
    const Index count = length_of_block(lines, first), times = repeats(lines, first, count);
    if (blocks.empty() || times > 1 || blocks.back().times > 1) blocks.push_back({times, {}});
    for (Index i = first; i < first + count; ++i) append(blocks.back(), lines[static_cast<std::size_t>(i)]);
    first += count * times;
  }
  return blocks;
}

std::string shape_text(const std::vector<TracedBlock>& trace) {
  std::size_t width = 0;
  for (const TracedBlock& block : trace)
    for (const TracedLayer& layer : block.layers)
      for (const auto& line : layer.lines) width = std::max(width, line.operation.size());
  std::string result;
  for (const TracedBlock& block : trace) {
    if (block.times > 1) result += text(block.times, " times\n");
    const std::string indent = block.times > 1 ? "  " : "";
    for (const TracedLayer& layer : block.layers) {
      if (!layer.name.empty()) result += indent + layer.name + "\n";
      for (const auto& line : layer.lines)
        result += indent + "  " + left_in(width, line.operation) + "  " + line.inputs +
                  (line.inputs.empty() ? "" : " ") + "→ " + line.result + "\n";
    }
  }
  return result;
}

std::string draw_shapes(const std::vector<TracedBlock>& trace) {
  constexpr double width = 640, row = 17, gap = 14, left = 12;
  double height = gap;
  for (const TracedBlock& block : trace) {
    if (block.times > 1) height += row;
    for (const TracedLayer& layer : block.layers)
      height += row * static_cast<double>(layer.lines.size() + 1) + gap + 6;
  }
  Svg svg(width, height, "shapes", "The operations of a model with their shapes, layer by layer");
  double y = gap / 2;
  for (const TracedBlock& block : trace) {
    const double x = block.times > 1 ? 2 * left : left;
    if (block.times > 1) {
      svg.text(left, y + 12, text(block.times, " times"));
      y += row;
    }
    for (const TracedLayer& layer : block.layers) {
      const double tall = row * static_cast<double>(layer.lines.size() + 1) + 6;
      svg.element("rect", {{"x", x},
                           {"y", y},
                           {"width", width - x - left},
                           {"height", tall},
                           {"rx", 6},
                           {"fill", "none"},
                           {"stroke", "#667085"}});
      svg.text(x + 10, y + 15, layer.name.empty() ? "before all layers" : layer.name,
               {{"font-weight", "600"}});
      double at = y + 15;
      for (const auto& line : layer.lines) {
        at += row;
        svg.text(x + 10, at, line.operation);
        svg.text(width / 2, at, line.inputs, {{"text-anchor", "middle"}, {"fill", "#667085"}}, line.inputs);
        svg.text(width - left - 10, at, line.result, {{"text-anchor", "end"}});
      }
      y += tall + gap;
    }
  }
  return svg.finish();
}

}  // namespace gradual
