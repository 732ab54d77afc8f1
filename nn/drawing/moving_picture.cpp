#include <gradual/nn/drawing/moving_picture.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

[[noreturn]] void bad_movement(const std::string& rule) {
  throw std::invalid_argument("draw_moving_picture: " + rule);
}

std::size_t combinations(const std::vector<Slider>& sliders) {
  if (sliders.empty()) bad_movement("a picture moves with a slider: got none");
  std::size_t count = 1;
  for (const Slider& slider : sliders) {
    if (slider.start >= slider.places.size())
      bad_movement("a slider starts at one of its places: " + slider.name + " starts at " +
                   std::to_string(slider.start) + " of " + std::to_string(slider.places.size()));
    count *= slider.places.size();
  }
  return count;
}

/// A picture of this library, taken apart.
struct Frame {
  double width, height;
  std::string css_class, content;
};

std::string attribute(const std::string& picture, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const std::size_t at = picture.find(start);
  if (at == std::string::npos) bad_movement("a picture is an SVG of this library: there is no " + name);
  return picture.substr(at + start.size(), picture.find('"', at + start.size()) - at - start.size());
}

Frame frame_of(const std::string& picture) {
  const std::string style = "</style>", end = "</svg>";
  const std::size_t from = picture.find(style), to = picture.rfind(end);
  if (from == std::string::npos || to == std::string::npos)
    bad_movement("a picture is an SVG of this library: got \"" + picture.substr(0, 40) + "\"");
  return {std::atof(attribute(picture, "width").c_str()), std::atof(attribute(picture, "height").c_str()),
          attribute(picture, "class"), picture.substr(from + style.size(), to - from - style.size())};
}

}  // namespace

std::string draw_moving_picture(const std::vector<Slider>& sliders, const std::vector<std::string>& pictures,
                                const std::string& label) {
  const std::size_t count = combinations(sliders);
  if (pictures.size() != count)
    bad_movement("each combination of places has a picture: got " + std::to_string(pictures.size()) +
                 " for " + std::to_string(count));
  std::vector<Frame> frames;
  double width = 0, height = 0;
  for (const std::string& picture : pictures) {
    frames.push_back(frame_of(picture));
    width = std::max(width, frames.back().width);
    height = std::max(height, frames.back().height);
  }

  std::size_t shown = 0;
  for (const Slider& slider : sliders) shown = shown * slider.places.size() + slider.start;
  std::string svg = Svg(width, height, "moving", label).finish();
  svg.resize(svg.rfind("</svg>"));
  for (const Slider& slider : sliders) {  // read by the page that the picture stands in
    svg += "<metadata class=\"slider\" data-start=\"" + std::to_string(slider.start) + "\" data-name=\"" +
           escaped(slider.name) + "\">";
    for (std::size_t i = 0; i < slider.places.size(); ++i) svg += (i ? "|" : "") + escaped(slider.places[i]);
    svg += "</metadata>";
  }
  for (std::size_t i = 0; i < count; ++i)
    svg += "<g class=\"frame " + frames[i].css_class + "\"" + (i == shown ? "" : " display=\"none\"") + ">" +
           frames[i].content + "</g>";
  return svg + "</svg>";
}

}  // namespace gradual
