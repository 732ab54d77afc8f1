// A small strict reader of XML, to look at pictures and pages from outside.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/nn/drawing/page/html.hpp>

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // its own, without that of the elements inside
  int parent;        // index, -1 for the root

  std::string operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "" : found->second;
  }
  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
  bool has_class(const std::string& wanted) const {
    return (" " + (*this)["class"] + " ").find(" " + wanted + " ") != std::string::npos;
  }
};

/// The elements of one document in the order in which they start. Throws std::runtime_error where it is not
/// well-formed.
class XmlDocument {
 public:
  explicit XmlDocument(std::string source) : source_(std::move(source)) {
    while (at_ < source_.size()) read_next();
    require(open_.empty() && !elements.empty(), "an element is not closed");
  }

  /// The elements called `name`, of a CSS class if one is given.
  std::vector<XmlElement> all(const std::string& name, const std::string& css_class = "") const {
    std::vector<XmlElement> found;
    for (const XmlElement& element : elements) {
      if (element.name == name && (css_class.empty() || element.has_class(css_class)))
        found.push_back(element);
    }
    return found;
  }

  /// Those directly inside elements of a CSS class.
  std::vector<XmlElement> inside(const std::string& css_class, const std::string& name) const {
    std::vector<XmlElement> found;
    for (const XmlElement& element : elements) {
      if (element.name == name && element.parent >= 0 && parent(element).has_class(css_class))
        found.push_back(element);
    }
    return found;
  }

  const XmlElement& parent(const XmlElement& element) const {
    return elements[static_cast<std::size_t>(element.parent)];
  }

  std::vector<XmlElement> elements;

 private:
  void require(bool condition, const std::string& problem) const {
    if (!condition) throw std::runtime_error("XML: byte " + std::to_string(at_) + ": " + problem);
  }
  bool take(const std::string& token) {
    if (source_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void skip_space() {
    while (at_ < source_.size() && std::isspace(static_cast<unsigned char>(source_[at_]))) ++at_;
  }
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < source_.size() &&
           (std::isalnum(static_cast<unsigned char>(source_[at_])) || source_[at_] == '-'))
      ++at_;
    require(at_ > begin, "a name is missing");
    return source_.substr(begin, at_ - begin);
  }
  /// Text up to `end`, with entities resolved.
  std::string content(char end) {
    std::string result;
    while (at_ < source_.size() && source_[at_] != end) {
      require(source_[at_] != '<', "< in a text");
      require(static_cast<unsigned char>(source_[at_]) >= 0x20 || source_[at_] == '\n',
              "a control character");
      if (source_[at_] != '&') {
        result += source_[at_++];
        continue;
      }
      const std::pair<const char*, char> entities[] = {
          {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
      const auto entity =
          std::find_if(std::begin(entities), std::end(entities), [&](auto& e) { return take(e.first); });
      require(entity != std::end(entities), "a bare &");
      result += entity->second;
    }
    return result;
  }
  void read_next() {
    if (source_[at_] != '<') {
      const std::string text = content('<');
      const bool blank = text.find_first_not_of(" \n") == std::string::npos;
      require(blank || !open_.empty(), "text outside of the root");
      if (!open_.empty()) elements[static_cast<std::size_t>(open_.back())].text += text;
    } else if (take("</")) {
      require(!open_.empty() && name() == elements[static_cast<std::size_t>(open_.back())].name && take(">"),
              "an end that does not fit");
      open_.pop_back();
    } else {
      read_start();
    }
  }
  void read_start() {
    take("<");
    XmlElement element{name(), {}, "", open_.empty() ? -1 : open_.back()};
    require(!open_.empty() || elements.empty(), "a second root");
    for (skip_space(); source_[at_] != '>' && source_[at_] != '/'; skip_space()) {
      const std::string attribute = name();
      require(take("=\""), "an attribute without a quoted value");
      require(element.attributes.emplace(attribute, content('"')).second, "an attribute given twice");
      require(take("\""), "a quote is missing");
    }
    const bool empty = take("/");
    require(take(">"), "> is missing");
    if (!empty) open_.push_back(static_cast<int>(elements.size()));
    elements.push_back(std::move(element));
  }

  std::string source_;
  std::size_t at_ = 0;
  std::vector<int> open_;
};

/// What a program puts into a page.
inline XmlDocument read(const gradual::Html& content) {
  return XmlDocument("<main>" + content.str() + "</main>");
}
