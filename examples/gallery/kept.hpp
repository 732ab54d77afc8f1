// What is kept of a gallery, as JSON, and the pictures of the book that are drawn of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "result.hpp"

namespace gallery {

/// Of one model.
struct Kept {
  std::string name;  ///< of the bug, for files; "sound"
  std::string title;
  std::vector<double> losses;  ///< means of twenty steps
  double held_out_loss = 0, right = 0;
  std::string translation;  ///< of the example
  std::string cause;        ///< by the doctor; empty: it finds nothing
  std::vector<gradual::AttentionMap> maps;
};

struct KeptGallery {
  gradual::Index steps = 0;
  std::string source, target;  ///< the example
  Kept sound;
  std::vector<Kept> broken;
};

/// What is worth keeping of a result: of maps those of these layers.
Kept kept_of(const std::string& name, const Result& result, const std::vector<std::string>& layers);

std::string to_json(const KeptGallery& gallery);
/// Throws std::exception for another text.
KeptGallery from_json(const std::string& text);

/// For each bug NAME-curve.svg and NAME-map.svg, with the sound model beside it.
std::map<std::string, std::string> pictures_of(const KeptGallery& gallery);

}  // namespace gallery
