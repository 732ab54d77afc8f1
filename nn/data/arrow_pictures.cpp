#include <gradual/nn/data/arrow_pictures.hpp>

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
        text("arrow pictures: the count must be positive and the noise not negative: got ", count, " and ",
             noise));
  ArrowPictures pictures;
  pictures.pixels = Tensor({count, cells * cells, pixels_of_cell});
  std::vector<std::int32_t> answers, arrow_cells, targets;
  Real* pixel = pictures.pixels.unguarded_data();
  for (Index i = 0; i < count; ++i) {
    std::array<Stamp, cells* cells> content = {};  // null: empty
    for (Stamp& cell : content)
      if (random.uniform() < 0.4)
        cell = shapes[static_cast<std::size_t>(random.below(ArrowPictures::shapes))];
    Index row = 0, column = 0, target_row = 0, target_column = 0;
    std::size_t direction = 0;
    do {  // until what the arrow points at is inside the picture
      row = random.below(cells);
      column = random.below(cells);
      direction = static_cast<std::size_t>(random.below(4));
      target_row = row + row_step[direction];
      target_column = column + column_step[direction];
    } while (target_row < 0 || target_row == cells || target_column < 0 || target_column == cells);
    const Index arrow = row * cells + column, target = target_row * cells + target_column;
    const Index shape = random.below(ArrowPictures::shapes);
    content[static_cast<std::size_t>(arrow)] = arrows[direction];
    content[static_cast<std::size_t>(target)] = shapes[static_cast<std::size_t>(shape)];
    for (const Stamp cell : content) {
      for (Index p = 0; p < pixels_of_cell; ++p)
        *pixel++ = static_cast<Real>((cell && cell[p] == '#' ? 1 : 0) + noise * random.normal());
    }
    answers.push_back(static_cast<std::int32_t>(shape));
    arrow_cells.push_back(static_cast<std::int32_t>(arrow));
    targets.push_back(static_cast<std::int32_t>(target));
  }
  pictures.answers = Indices({count}, answers);
  pictures.arrows = Indices({count}, arrow_cells);
  pictures.targets = Indices({count}, targets);
  return pictures;
}

std::string name_of_shape(Index shape) {
  constexpr std::array<const char*, ArrowPictures::shapes> names = {"cross", "ring", "square", "triangle",
                                                                    "bar"};
  if (shape < 0 || shape >= ArrowPictures::shapes)
    throw std::invalid_argument(
        text("arrow pictures: there are ", ArrowPictures::shapes, " shapes: got number ", shape));
  return names[static_cast<std::size_t>(shape)];
}

}  // namespace gradual
