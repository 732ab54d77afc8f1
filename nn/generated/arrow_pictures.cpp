#include <gradual/nn/generated/arrow_pictures.hpp>

#include <array>
#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

constexpr Index cells = ArrowPictures::cells, side = ArrowPictures::cell_pixels;
constexpr Index pixels_of_cell = side * side;

// Five lines of five pixels each.
using Stamp = const char*;
constexpr std::array<Stamp, ArrowPictures::shapes> shapes = {
    "#...#"
    ".#.#."
    "..#.."
    ".#.#."
    "#...#",
    ".###."
    "#...#"
    "#...#"
    "#...#"
    ".###.",
    "#####"
    "#...#"
    "#...#"
    "#...#"
    "#####",
    "....."
    "..#.."
    ".###."
    "#####"
    ".....",
    "....."
    "#####"
    "#####"
    "....."
    ".....",
};
// Right, down, left, up.
constexpr std::array<Stamp, 4> arrows = {
    "..#.."
    "...#."
    "#####"
    "...#."
    "..#..",
    "..#.."
    "..#.."
    "#.#.#"
    ".###."
    "..#..",
    "..#.."
    ".#..."
    "#####"
    ".#..."
    "..#..",
    "..#.."
    ".###."
    "#.#.#"
    "..#.."
    "..#..",
};
constexpr std::array<Index, 4> row_step = {0, 1, 0, -1}, column_step = {1, 0, -1, 0};

}  // namespace

ArrowPictures draw_arrow_pictures(Index count, double noise, Random random) {
  if (count < 1 || !(noise >= 0))
    throw std::invalid_argument(
        text("arrow pictures: the count must be positive and the noise not negative: got ", count, " and ", noise));
  ArrowPictures pictures;
  pictures.pixels = Tensor({count, cells * cells, pixels_of_cell});
  std::vector<std::int32_t> answers, arrow_cells, targets;
  Real* pixel = pictures.pixels.mutable_data();
  for (Index i = 0; i < count; ++i) {
    std::array<Stamp, cells * cells> content = {};  // null: empty
    for (Stamp& cell : content)
      if (random.uniform() < 0.4) cell = shapes[static_cast<std::size_t>(random.below(ArrowPictures::shapes))];
    // An arrow with room before it, and some empty cells between it and its target.
    Index row = 0, column = 0, direction = 0, room = 0;
    do {
      row = random.below(cells);
      column = random.below(cells);
      direction = random.below(4);
      const auto d = static_cast<std::size_t>(direction);
      room = row_step[d] > 0 ? cells - 1 - row : row_step[d] < 0 ? row : column_step[d] > 0 ? cells - 1 - column : column;
    } while (room == 0);
    const auto d = static_cast<std::size_t>(direction);
    const auto cell_at = [&](Index distance) {
      return (row + distance * row_step[d]) * cells + column + distance * column_step[d];
    };
    const Index distance = 1, shape = random.below(ArrowPictures::shapes);
    for (Index step = 1; step < distance; ++step) content[static_cast<std::size_t>(cell_at(step))] = nullptr;
    content[static_cast<std::size_t>(cell_at(0))] = arrows[d];
    content[static_cast<std::size_t>(cell_at(distance))] = shapes[static_cast<std::size_t>(shape)];
    for (const Stamp cell : content) {
      for (Index p = 0; p < pixels_of_cell; ++p)
        *pixel++ = static_cast<Real>((cell && cell[p] == '#' ? 1 : 0) + noise * random.normal());
    }
    answers.push_back(static_cast<std::int32_t>(shape));
    arrow_cells.push_back(static_cast<std::int32_t>(cell_at(0)));
    targets.push_back(static_cast<std::int32_t>(cell_at(distance)));
  }
  pictures.answers = Indices({count}, answers);
  pictures.arrows = Indices({count}, arrow_cells);
  pictures.targets = Indices({count}, targets);
  return pictures;
}

std::string name_of_shape(Index shape) {
  constexpr std::array<const char*, ArrowPictures::shapes> names = {"cross", "ring", "square", "triangle", "bar"};
  if (shape < 0 || shape >= ArrowPictures::shapes)
    throw std::invalid_argument(text("arrow pictures: there are ", ArrowPictures::shapes, " shapes: got number ", shape));
  return names[static_cast<std::size_t>(shape)];
}

}  // namespace gradual
