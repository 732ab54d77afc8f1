#include "counting.hpp"

#include <algorithm>
#include <map>

#include <gradual/nn/drawing/line_text.hpp>

using namespace gradual;

std::vector<std::vector<Index>> shapes_in(Index count, std::uint64_t seed) {
  const ArrowPictures pictures = draw_arrow_pictures(count, 0, Random(seed));
  const auto look_of = [&](Index i, Index cell) {
    const Tensor pixels = pictures.pixels[i][cell];
    return std::vector<Real>(pixels.begin(), pixels.end());
  };
  std::map<std::vector<Real>, Index> known;  // by how they look
  for (Index i = 0; i < count; ++i) known[look_of(i, pictures.targets[i])] = pictures.answers[i];
  std::vector<std::vector<Index>> shapes(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    for (Index cell = 0; cell < cells_of_picture; ++cell) {
      const auto shape = known.find(look_of(i, cell));
      shapes[static_cast<std::size_t>(i)].push_back(shape == known.end() ? -1 : shape->second);
    }
  }
  return shapes;
}

Index commonest_with(const std::vector<Index>& shapes, Index shape) {
  std::vector<Index> times(ArrowPictures::shapes, 0);
  for (const Index each : shapes)
    if (each >= 0) ++times[static_cast<std::size_t>(each)];
  const Index most = *std::max_element(times.begin(), times.end());
  return times[static_cast<std::size_t>(shape)] < most ? 0 : std::count(times.begin(), times.end(), most);
}

std::string said_by_counting(const std::vector<Index>& shapes) {
  std::vector<std::string> commonest;
  for (Index shape = 0; shape < ArrowPictures::shapes; ++shape)
    if (commonest_with(shapes, shape) > 0) commonest.push_back(name_of_shape(shape));
  return list_text(commonest, " or ");
}

double right_by_counting(const std::vector<Index>& shapes, Index answer) {
  const Index as_common = commonest_with(shapes, answer);
  return as_common == 0 ? 0 : 1 / static_cast<double>(as_common);
}

Index shape_behind(const std::vector<Index>& shapes, const ArrowPictures& pictures, Index picture) {
  constexpr Index side = ArrowPictures::cells;
  const Index arrow = pictures.arrows[picture], behind = 2 * arrow - pictures.targets[picture];
  if (behind < 0 || behind >= cells_of_picture ||
      (behind / side != arrow / side && behind % side != arrow % side))
    return -1;
  return shapes[static_cast<std::size_t>(behind)];
}

bool is_telling(const std::vector<Index>& shapes, const ArrowPictures& pictures, Index picture) {
  const Index answer = pictures.answers[picture], other = shape_behind(shapes, pictures, picture);
  return other >= 0 && other != answer && right_by_counting(shapes, answer) == 0;
}

double share_right_by_counting(const ArrowPictures& pictures, std::uint64_t seed) {
  const Index count = pictures.answers.size();
  const std::vector<std::vector<Index>> shapes = shapes_in(count, seed);
  double right = 0;
  for (Index i = 0; i < count; ++i)
    right += right_by_counting(shapes[static_cast<std::size_t>(i)], pictures.answers[i]);
  return 100 * right / static_cast<double>(count);
}
