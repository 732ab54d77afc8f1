// The sections of a page: what stands under each of its headings.
#pragma once

#include <algorithm>
#include <cctype>

#include "page.hpp"

// A heading's name in links, as MkDocs makes it: lower case, ASCII alone, strokes for spaces.
inline std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) || c == '_')
      anchor += static_cast<char>(std::tolower(c));
    else if ((c == ' ' || c == '-') && !anchor.empty() && anchor.back() != '-')
      anchor += '-';
  }
  if (!anchor.empty() && anchor.back() == '-') anchor.pop_back();
  return anchor;
}

// How many # begin the line; 0 if it is no heading.
inline std::size_t heading_level(const std::string& line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string::npos && line[level] == ' ' ? level : 0;
}

struct Section {
  std::string anchor;
  std::size_t level;
  std::string prose;  // in one line, without indents, and with that of the sections inside it
};

inline std::vector<Section> sections_of(const Page& page) {
  std::vector<Section> sections;
  for (const Line& line : page.prose) {
    const std::size_t level = heading_level(line.text);
    if (level > 0) sections.push_back({anchor_of(line.text.substr(level)), level, ""});
    std::size_t inner = 7;  // the level of the section that the line stands in, seen from the ones around it
    for (std::size_t i = sections.size(); i-- > 0;) {
      if (sections[i].level >= inner) continue;
      inner = sections[i].level;
      sections[i].prose +=
          line.text.substr(std::min(line.text.find_first_not_of(' '), line.text.size())) + " ";
    }
  }
  return sections;
}

// The section of this name, or null.
inline const Section* find_section(const std::vector<Section>& sections, const std::string& anchor) {
  for (const Section& section : sections)
    if (section.anchor == anchor) return &section;
  return nullptr;
}
