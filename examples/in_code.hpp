// The end of a program's page: where in the sources its ideas are.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/page/html.hpp>

/// A section with files or folders of the checkout, each with what is there, and how to go on with a program.
inline void add_places_in_code(gradual::Html& html, const std::string& program,
                               const std::vector<std::pair<std::string, std::string>>& places) {
  html.heading(2, "In code").terms(places);
  html.heading(3, "How to go on")
      .terms({{"./run " + program + " --help", "what can be changed"},
              {"examples/" + program + "/README.md", "what to try next"}});
}
