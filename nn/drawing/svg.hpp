// Writing SVG: elements, attributes, escaped text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gradual {

/// `text` as the content of an XML or HTML element or of a quoted attribute: readable (see readable_text),
/// with `&`, `<`, `>` and `"` escaped.
std::string escaped(std::string_view text);

/// One picture, written from its first element to its last.
///
/// Its colours are CSS custom properties with a light and a dark set of values; a page may override them (see
/// picture_style). Lengths are in pixels.
class Svg {
 public:
  /// A name and a value: a number, printed with at most two decimals, or a text.
  struct Attribute {
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    Attribute(std::string_view attribute, Number number)
        : name(attribute), value(coordinate(static_cast<double>(number))) {}
    Attribute(std::string_view attribute, std::string_view text) : name(attribute), value(escaped(text)) {}

    std::string_view name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  /// An empty picture. `css_class` says what kind it is, `label` is read out to those who cannot see it.
  Svg(double width, double height, std::string_view css_class, std::string_view label);

  /// Starts an element that the following ones go into, until `close`.
  void open(std::string_view name, Attributes attributes = {});
  void close();

  /// An element without content; `hover`, if not empty, is shown when the pointer rests on it.
  void element(std::string_view name, Attributes attributes, std::string_view hover = {});

  /// A text whose anchor is at (x, y).
  void text(double x, double y, std::string_view content, Attributes attributes = {},
            std::string_view hover = {});

  /// Closes what is open and hands out the picture.
  std::string finish();

 private:
  static std::string coordinate(double pixels);
  void start(std::string_view name, Attributes attributes);
  void title(std::string_view hover);

  std::string out_;
  std::vector<std::string> open_;
};

/// The style sheet that each picture carries, `<style>` tags included. Its colours come from `--gradual-ink`,
/// `--gradual-soft` (labels), `--gradual-line`, `--gradual-paper` (background), `--gradual-weight`
/// (attention) and `--gradual-series-0` … `-5` where a page defines these.
std::string_view picture_style();

}  // namespace gradual
