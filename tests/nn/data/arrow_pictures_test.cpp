#include <gradual/nn/data/arrow_pictures.hpp>

#include <cmath>
#include <set>

#include "support/catch.hpp"

using namespace gradual;

namespace {

constexpr Index cells = ArrowPictures::cells,
                pixels = ArrowPictures::cell_pixels * ArrowPictures::cell_pixels;

// What a cell of a picture without noise looks like.
std::string look_of(const ArrowPictures& pictures, Index picture, Index cell) {
  std::string look;
  for (Index p = 0; p < pixels; ++p) look += pictures.pixels({picture, cell, p}) > Real(0.5) ? '#' : '.';
  return look;
}

}  // namespace

TEST_CASE("arrow pictures: the answer is the shape in the cell that the arrow points at") {
  const ArrowPictures pictures = draw_arrow_pictures(500, 0, Random(1));
  const std::string right = "..#.....#.#####...#...#..", down = "..#....#..#.#.#.###...#..";
  const std::string left = "..#...#...#####.#.....#..", up = "..#...###.#.#.#..#....#..";
  std::set<std::string> looks_of_answers[ArrowPictures::shapes];
  for (Index i = 0; i < 500; ++i) {
    const Index arrow = pictures.arrows[i], target = pictures.targets[i];
    const std::string look = look_of(pictures, i, arrow);
    const Index expected = look == right  ? arrow + 1
                           : look == left ? arrow - 1
                           : look == up   ? arrow - cells
                                          : arrow + cells;
    CHECK((look == right || look == left || look == up || look == down));
    CHECK(target == expected);
    if (look == right) CHECK(target / cells == arrow / cells);  // not around the edge
    looks_of_answers[pictures.answers[i]].insert(look_of(pictures, i, target));
  }
  std::set<std::string> all;
  for (const auto& looks : looks_of_answers) {
    CHECK(looks.size() == 1);  // each answer is one shape
    all.insert(*looks.begin());
  }
  CHECK(all.size() == ArrowPictures::shapes);
}

TEST_CASE("arrow pictures: noise has the deviation that is asked for, and the seed decides the rest") {
  const ArrowPictures plain = draw_arrow_pictures(200, 0, Random(1));
  double squares = 0;
  const ArrowPictures noisy = draw_arrow_pictures(200, 0.3, Random(1));
  for (Index i = 0; i < cells * cells * pixels; ++i)  // of the first picture: later ones drew after the noise
    squares += std::pow(static_cast<double>(noisy.pixels.data()[i] - plain.pixels.data()[i]), 2);
  CHECK(std::sqrt(squares / static_cast<double>(cells * cells * pixels)) == Approx(0.3).epsilon(0.1));
  const ArrowPictures again = draw_arrow_pictures(200, 0.3, Random(1));
  for (Index i = 0; i < 200; ++i) CHECK(again.answers[i] == noisy.answers[i]);
}

TEST_CASE("arrow pictures: bad sizes and shapes are refused") {
  CHECK_THROWS_WITH(draw_arrow_pictures(0, 0.1, Random(1)),
                    "arrow pictures: the count must be positive and the noise not negative: got 0 and 0.1");
  CHECK(name_of_shape(0) == "cross");
  CHECK_THROWS_WITH(name_of_shape(5), "arrow pictures: there are 5 shapes: got number 5");
}
