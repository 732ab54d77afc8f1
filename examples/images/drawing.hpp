// A picture with what one of its cells attends to.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/arrow_pictures.hpp>

/// Picture `index` as an SVG: each cell is tinted by its weight, `from` has a frame.
std::string draw_picture(const gradual::ArrowPictures& pictures, gradual::Index index,
                         const std::vector<double>& weights, gradual::Index from, const std::string& title);
