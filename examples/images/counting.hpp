// What can be had without knowing where shapes are: counting them, where each is known for sure.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/arrow_pictures.hpp>

constexpr gradual::Index cells_of_picture = gradual::ArrowPictures::cells * gradual::ArrowPictures::cells;

/// Of each picture the shape in each cell, -1 where there is none; the pictures are those that are drawn with
/// noise from the same seed.
std::vector<std::vector<gradual::Index>> shapes_in(gradual::Index count, std::uint64_t seed);

/// How many shapes of a picture are as common as this one, which is one of the commonest; 0 where it is not.
gradual::Index commonest_with(const std::vector<gradual::Index>& shapes, gradual::Index shape);

/// What who counts says of a picture: a commonest shape, "ring or bar" where several are as common.
std::string said_by_counting(const std::vector<gradual::Index>& shapes);

/// The shape on the other side of a picture's arrow than it points to, -1 where there is none.
gradual::Index shape_behind(const std::vector<gradual::Index>& shapes, const gradual::ArrowPictures& pictures,
                            gradual::Index picture);

/// Whether neither the commonest shape of a picture is right nor the one behind its arrow, and there is one.
bool is_telling(const std::vector<gradual::Index>& shapes, const gradual::ArrowPictures& pictures,
                gradual::Index picture);

/// How often who names the commonest shape of a picture is right: of several that are as common, any is
/// taken.
double right_by_counting(const std::vector<gradual::Index>& shapes, gradual::Index answer);

/// The same of all these pictures, in per cent; `seed` is that of their shapes.
double share_right_by_counting(const gradual::ArrowPictures& pictures, std::uint64_t seed);
