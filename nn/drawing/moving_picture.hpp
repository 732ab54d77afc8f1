// A picture that moves with one or two sliders.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradual {

/// What a reader can move: its name, a label for each of its places, and the place where it begins.
struct Slider {
  std::string name;                 // beside the slider
  std::vector<std::string> places;  // what it says at each of its places
  std::size_t start = 0;            // the place it begins at
};

/// One SVG that holds a picture for each combination of places, the last slider's changing fastest, and shows
/// the one of the starts. It stands still where nothing moves it; the book's pages put sliders under it,
/// which show one picture after another. Each of `pictures` is what a `draw_…` of this library returned.
/// Throws std::invalid_argument if there is no slider, a slider has no place or starts beyond its last, or
/// there is not a picture for each combination.
std::string draw_moving_picture(const std::vector<Slider>& sliders, const std::vector<std::string>& pictures,
                                const std::string& label);

}  // namespace gradual
